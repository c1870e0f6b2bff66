/** The short address of `npm start`: it leads to the folder, and passes on everything else. */
import { createServer, get, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';

interface Door {
    readonly url: string;
    urlForOnce(): string;
    close(): void;
}

interface Editor {
    readonly port: number;
    readonly token: string;
    addressFor(host: string): string;
}

// A script of the workbench, which is plain JavaScript.
const script = new URL('../../vscode-extension/workbench/front-door.js', import.meta.url).href;
const { openFrontDoor } = (await import(script)) as {
    readonly openFrontDoor: (port: number, editor: Editor) => Promise<Door>;
};

const OWN_COOKIE = { cookie: 'a=1; vscode-tkn=secret; b=2' };

let editor: Server;
let door: Door;
const sockets: Socket[] = [];

/** An editor that says what it was asked for; a web socket gets back what it sends. */
beforeEach(async () => {
    editor = createServer((asked, answer) => {
        answer.writeHead(200, { 'set-cookie': ['a=1', 'b=2'] }).end(`${asked.method} ${asked.url}`);
    });
    editor.on('upgrade', (asked: IncomingMessage, socket: Socket) => {
        sockets.push(socket);
        socket.write(
            `HTTP/1.1 101 Switching Protocols\r\nUpgrade: ${asked.headers.upgrade}\r\nConnection: Upgrade\r\n\r\n`,
        );
        socket.pipe(socket);
    });
    await new Promise<void>(listening => editor.listen(0, '127.0.0.1', listening));
    const { port } = editor.address() as AddressInfo;
    door = await openFrontDoor(0, {
        port,
        token: 'secret',
        addressFor: host => `http://${host}/?tkn=secret&folder=/models`,
    });
});

afterEach(() => {
    door.close();
    sockets.forEach(socket => socket.destroy());
    editor.close();
});

function ask(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage & { readonly text: string }> {
    const { port } = new URL(door.url);
    return new Promise((resolve, reject) => {
        get({ host: '127.0.0.1', port, path, headers: { host: `localhost:${port}`, ...headers } }, answer => {
            let text = '';
            answer.on('data', data => (text += String(data)));
            answer.on('end', () => resolve(Object.assign(answer, { text })));
        }).on('error', reject);
    });
}

test('the address is short enough for a click, and leads to the folder', async () => {
    expect(door.url).toMatch(/^http:\/\/localhost:\d+\/[\w-]{12}$/);
    const { origin, pathname } = new URL(door.url);
    for (const answer of [await ask(pathname), await ask(pathname), await ask('/', OWN_COOKIE)]) {
        expect(answer.statusCode).toBe(302);
        expect(answer.headers.location).toBe(`${origin}/?tkn=secret&folder=/models`);
    }
});

// It led everybody there who could open a connection to this machine.
test.each([{}, { cookie: 'vscode-tkn=guessed' }, { cookie: 'other=vscode-tkn=secret' }])(
    'without its key, or the cookie of a browser that was in, nobody gets the token: %j',
    async headers => {
        const { statusCode, headers: answered } = await ask('/', headers);
        expect([statusCode, answered.location]).toEqual([403, undefined]);
    },
);

test('an address for once leads to the folder once', async () => {
    const { pathname } = new URL(door.urlForOnce());
    expect((await ask(pathname)).statusCode).toBe(302);
    expect((await ask(pathname)).text).toBe(`GET ${pathname}`);
});

test('every other address is that of the editor', async () => {
    const { text, headers } = await ask('/?tkn=secret&folder=/models');
    expect(text).toBe('GET /?tkn=secret&folder=/models');
    expect(headers['set-cookie']).toEqual(['a=1', 'b=2']);
    expect((await ask('/static/icon.png')).text).toBe('GET /static/icon.png');
});

test('a web socket reaches the editor, and ends with it', async () => {
    const { port } = new URL(door.url);
    const socket = await new Promise<Socket>((resolve, reject) => {
        const headers = { host: `localhost:${port}`, connection: 'Upgrade', upgrade: 'websocket' };
        request({ host: '127.0.0.1', port, path: '/socket', headers })
            .on('upgrade', (_, upgraded) => resolve(upgraded))
            .on('error', reject)
            .end();
    });
    const echoed = new Promise(resolve => socket.once('data', data => resolve(String(data))));
    socket.write('hello');
    expect(await echoed).toBe('hello');
    const closed = new Promise(resolve => socket.once('close', () => resolve(true)));
    sockets.forEach(each => each.destroy());
    expect(await closed).toBe(true);
});

test.each(['evil.example', 'evil.example:3100', 'localhost.evil.example'])(
    'a request for the host "%s" gets neither the token nor the editor',
    async host => {
        for (const path of ['/', new URL(door.url).pathname, '/static/icon.png']) {
            const { statusCode, headers, text } = await ask(path, { ...OWN_COOKIE, host });
            expect([statusCode, headers.location, text]).toEqual([403, undefined, '']);
        }
    },
);

test('an editor that has gone ends its requests', async () => {
    await new Promise(closed => editor.close(closed));
    await expect(ask('/static/icon.png')).rejects.toThrow();
});
