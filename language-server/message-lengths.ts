/** The lengths of messages on a stream: a wrong one would be read in some other way, and leave the server deaf. */
import { constants } from 'node:buffer';

/** More bytes are no string. */
const MOST_BYTES = constants.MAX_STRING_LENGTH;
const MOST_HEADER_BYTES = 1 << 12;

/** Reads along, and tells what is wrong with the header of a message. */
export function createLengthCheck(refuse: (problem: string) => void): (bytes: Uint8Array) => void {
    let header = '';
    /** Of the message that has begun. */
    let bytesLeft = 0;
    return bytes => {
        for (let at = 0; at < bytes.length; at++) {
            if (bytesLeft > 0) {
                // The body is passed over at once: it may be megabytes.
                const passed = Math.min(bytesLeft, bytes.length - at);
                bytesLeft -= passed;
                at += passed - 1;
                continue;
            }
            header += String.fromCharCode(bytes[at] ?? 0);
            const isWhole = header.endsWith('\r\n\r\n');
            if (isWhole || header.length > MOST_HEADER_BYTES) {
                const lengths = header.split('\r\n').filter(line => /^content-length:/i.test(line));
                bytesLeft = Number(/^[^:]+:\s*(\d+)\s*$/.exec(lengths.join())?.[1]);
                if (!isWhole || !(bytesLeft <= MOST_BYTES)) {
                    const found = JSON.stringify(header.trim().slice(0, 80));
                    return refuse(
                        `a message begins with one Content-Length from 0 to ${MOST_BYTES}, not with ${found}`,
                    );
                }
                header = '';
            }
        }
    };
}
