import type { AuditLogEntry } from '../shared/auditLog';
import type { CursorState } from './state';

/** What a poll depends on. Durations in milliseconds. */
export interface PollOptions {
	/** Of base URL, credential and server-side filter; another one starts a fresh cursor. */
	fingerprint: string;
	/** A fresh cursor starts this long before now; 0: from now on. */
	lookBack: number;
	/** Entries are found that appear up to this long after their date; 0: those that appear in order only. */
	lateWindow: number;
	/** The late-entries window is re-read this often. */
	reReadEvery: number;
	/** New entries a poll emits at most, unless one second holds more. */
	maxEntries: number;
	/** Entries remembered at most. */
	maxRemembered: number;
	/** The poll starts no request after this moment of the local clock (epoch milliseconds). */
	deadline: number;
	/** The filters applied here; what does not match is read and remembered, and not emitted. */
	matches(entry: AuditLogEntry): boolean;
}

export interface PollResult {
	/** New entries, oldest first. */
	entries: AuditLogEntry[];
	/** To be kept together with emitting `entries`. */
	state: CursorState;
	/** Why this poll began anew. */
	fresh?: 'first' | 'changed' | 'invalid';
	/** Entries dated in between (epoch milliseconds) had left the log before they could be read. */
	gap?: { from: number; to: number };
	/** The memory is full: nothing is lost, but entries wait until the late-entries window has moved on. */
	held?: boolean;
}
