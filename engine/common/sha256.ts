/** SHA-256 [NIST2015, §6.2], for digests that other programs can compute too. The engine has no library for it. */

/** The fractional parts of the cube roots (of the square roots) of the first primes, 32 bits each. */
const ROUND_CONSTANTS = Uint32Array.from(primes(64), prime => fraction(Math.cbrt(prime)));
const INITIAL_STATE = Uint32Array.from(primes(8), prime => fraction(Math.sqrt(prime)));

const BLOCK_BYTES = 64;

/** The digest of a text of ASCII characters, as 64 hexadecimal digits. */
export function sha256OfAscii(text: string): string {
    const state = INITIAL_STATE.slice();
    const schedule = new Uint32Array(64);
    // The text, a one bit, zeros, and the length in bits as a number of 64 bits.
    const blockCount = Math.ceil((text.length + 9) / BLOCK_BYTES);
    const padded = new DataView(new ArrayBuffer(blockCount * BLOCK_BYTES));
    for (let index = 0; index < text.length; index++) {
        padded.setUint8(index, text.charCodeAt(index));
    }
    padded.setUint8(text.length, 0x80);
    padded.setBigUint64(padded.byteLength - 8, BigInt(text.length) * 8n);
    for (let block = 0; block < blockCount; block++) {
        for (let word = 0; word < 16; word++) {
            schedule[word] = padded.getUint32(block * BLOCK_BYTES + word * 4);
        }
        compressBlock(state, schedule);
    }
    return Array.from(state, word => word.toString(16).padStart(8, '0')).join('');
}

/** The names are those of the standard; the first 16 words of the schedule `w` hold the block. */
function compressBlock(state: Uint32Array, w: Uint32Array): void {
    for (let t = 16; t < 64; t++) {
        const s0 = rotate(w[t - 15], 7) ^ rotate(w[t - 15], 18) ^ (w[t - 15] >>> 3);
        const s1 = rotate(w[t - 2], 17) ^ rotate(w[t - 2], 19) ^ (w[t - 2] >>> 10);
        w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let t = 0; t < 64; t++) {
        const choice = (e & f) ^ (~e & g);
        const majority = (a & b) ^ (a & c) ^ (b & c);
        const t1 = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + ROUND_CONSTANTS[t] + w[t];
        const t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
        h = g;
        g = f;
        f = e;
        e = (d + t1) | 0;
        d = c;
        c = b;
        b = a;
        a = (t1 + t2) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, index) => {
        state[index] += word;
    });
}

function rotate(word: number, bits: number): number {
    return (word >>> bits) | (word << (32 - bits));
}

function primes(count: number): number[] {
    const found: number[] = [];
    for (let candidate = 2; found.length < count; candidate++) {
        if (found.every(prime => candidate % prime !== 0)) {
            found.push(candidate);
        }
    }
    return found;
}

function fraction(value: number): number {
    return Math.floor((value % 1) * 2 ** 32);
}
