const FIRST_BYTES = 64 * 1024;
const GROWTH = 1.4;
/** UTF-8 takes at most so many bytes for one unit of a JavaScript text. */
const BYTES_PER_UNIT = 3;

/** Text put together as UTF-8 bytes, outside of the JavaScript heap. Its memory is kept when it is cleared. */
export class TextBuffer {
	private bytes = Buffer.allocUnsafe(FIRST_BYTES);

	private used = 0;

	append(text: string): void {
		const needed = this.used + text.length * BYTES_PER_UNIT;
		if (needed > this.bytes.length) this.grow(needed);
		this.used += this.bytes.write(text, this.used);
	}

	clear(): void {
		this.used = 0;
	}

	/** The bytes so far, not a copy: valid until the next change. */
	content(): Buffer {
		return this.bytes.subarray(0, this.used);
	}

	private grow(needed: number): void {
		const larger = Buffer.allocUnsafe(Math.max(needed, Math.ceil(this.bytes.length * GROWTH)));
		this.bytes.copy(larger, 0, 0, this.used);
		this.bytes = larger;
	}
}
