/**
 * The short address of `npm start`: `http://localhost:PORT/KEY` leads to the folder, everything else goes on to the
 * editor's server. The door adds the token that the server asks for, so only who knows the key gets in, or a browser that
 * was in before; it listens on this machine only, and turns away requests for another host: a name of the internet that
 * is made to mean this machine. Plain Node.
 */
import { randomBytes } from 'node:crypto';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { StepFailed } from './progress.js';

const HOST = '127.0.0.1';
const OWN_NAME = /^(?:localhost|127\.0\.0\.1)(?::\d+)?$/;

const newKey = () => randomBytes(9).toString('base64url');

/**
 * Listens on `port`. `editor` is what startServer returns. Returns { url, urlForOnce(), close() }; an address for once
 * leads to the folder the first time that it is asked for.
 */
export async function openFrontDoor(port, editor) {
    const key = newKey();
    const keysForOnce = new Set();
    /** The editor's server gives a browser its token as a cookie. */
    const mayEnter = ({ url, headers }) =>
        url === '/'
            ? (headers.cookie ?? '').split('; ').includes(`vscode-tkn=${editor.token}`)
            : url === `/${key}` || keysForOnce.delete(url.slice(1));
    const door = createServer((asked, answer) => {
        if (!OWN_NAME.test(asked.headers.host ?? '')) {
            answer.writeHead(403).end();
        } else if (mayEnter(asked)) {
            answer.writeHead(302, { location: editor.addressFor(asked.headers.host) }).end();
        } else if (asked.url === '/') {
            answer
                .writeHead(403, { 'content-type': 'text/plain' })
                .end('The terminal of "npm start" shows the address.');
        } else {
            forward(asked, answer, editor.port);
        }
    });
    door.on('upgrade', (asked, socket, head) => {
        if (OWN_NAME.test(asked.headers.host ?? '')) {
            forwardSocket(asked, socket, head, editor.port);
        } else {
            socket.destroy();
        }
    });
    await new Promise((listening, reject) => {
        door.once('error', error => reject(new StepFailed(`Port ${port} cannot be used: ${error.message}`)));
        door.listen(port, HOST, listening);
    });
    const own = `http://localhost:${door.address().port}/`;
    return {
        url: `${own}${key}`,
        urlForOnce: () => {
            const forOnce = newKey();
            keysForOnce.add(forOnce);
            return `${own}${forOnce}`;
        },
        close: () => {
            door.close();
            door.closeAllConnections();
        },
    };
}

function forward(asked, answer, port) {
    const { method, url: path, headers } = asked;
    const passedOn = request({ host: HOST, port, method, path, headers }, received => {
        answer.writeHead(received.statusCode, received.headers);
        received.pipe(answer);
    });
    // Either end may go away in the middle; then the other one is told.
    passedOn.once('error', () => answer.destroy());
    answer.once('close', () => passedOn.destroy());
    asked.pipe(passedOn);
}

/** A web socket: its first lines as they came, then whatever either side sends. */
function forwardSocket({ method, url, rawHeaders }, socket, head, port) {
    const passedOn = connect(port, HOST, () => {
        const lines = [`${method} ${url} HTTP/1.1`];
        for (let index = 0; index < rawHeaders.length; index += 2) {
            lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
        }
        passedOn.write(`${lines.join('\r\n')}\r\n\r\n`);
        passedOn.write(head);
        socket.pipe(passedOn).pipe(socket);
    });
    for (const [one, other] of [
        [socket, passedOn],
        [passedOn, socket],
    ]) {
        one.once('error', () => other.destroy());
        one.once('close', () => other.destroy());
    }
}
