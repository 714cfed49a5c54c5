const FIRST_BYTES = 64 * 1024;
const GROWTH = 1.4;
/** UTF-8 takes at most so many bytes for one unit of a JavaScript text. */
const BYTES_PER_UNIT = 3;

/** Text put together as UTF-8 bytes, outside of the JavaScript heap. Its memory is kept when it is cleared. */
export class TextBuffer {
	private bytes = Buffer.allocUnsafe(FIRST_BYTES);

	private used = 0;

	append(text: string): void {
		this.makeRoom(text.length * BYTES_PER_UNIT);
		this.used += this.bytes.write(text, this.used);
	}

	/** A piece of text that is UTF-8 already. It may begin or end within a character. */
	appendBytes(piece: Uint8Array): void {
		this.makeRoom(piece.length);
		this.bytes.set(piece, this.used);
		this.used += piece.length;
	}

	clear(): void {
		this.used = 0;
	}

	/** The bytes so far, not a copy: valid until the next change. */
	content(): Buffer {
		return this.bytes.subarray(0, this.used);
	}

	get capacity(): number {
		return this.bytes.length;
	}

	private makeRoom(added: number): void {
		const needed = this.used + added;
		if (needed <= this.bytes.length) return;
		const larger = Buffer.allocUnsafe(Math.max(needed, Math.ceil(this.bytes.length * GROWTH)));
		this.bytes.copy(larger, 0, 0, this.used);
		this.bytes = larger;
	}
}
