/** Wherever a stream of messages is divided, their lengths are read alike. */
import { expect, test } from 'vitest';
import { createLengthCheck } from '../../language-server/message-lengths.js';

const BODIES = ['{"a":"Content-Length: -5\\r\\n\\r\\n"}', '', '{"b":"é"}'];

function stream(...lengths: readonly (number | string)[]): Buffer {
    return Buffer.concat(
        BODIES.map((body, index) => {
            const bytes = Buffer.from(body);
            return Buffer.concat([Buffer.from(`Content-Length: ${lengths[index] ?? bytes.length}\r\n\r\n`), bytes]);
        }),
    );
}

function refusals(bytes: Buffer, size: number): readonly string[] {
    const refused: string[] = [];
    const check = createLengthCheck(problem => refused.push(problem));
    for (let at = 0; at < bytes.length && refused.length === 0; at += size) {
        check(bytes.subarray(at, at + size));
    }
    return refused;
}

test.each([1, 2, 3, 7, 20, 1000])('in parts of %i bytes', size => {
    expect(refusals(stream(), size)).toEqual([]);
    const [refused] = refusals(stream(Buffer.from(BODIES[0]!).length, 0, -1), size);
    expect(refused).toMatch(/^a message begins with one Content-Length from 0 to \d+, not with "Content-Length: -1"$/);
});
