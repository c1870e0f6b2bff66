/** The manual as resources: a page for each part of the language, of the commands, and for all messages. */
import { invariant } from '../../engine/common/assert.js';
import { isRecord } from '../../engine/common/record.js';
import { RequestError, parsed } from './json-rpc.js';

export const RESOURCE_NOT_FOUND = -32002;

const SCHEME = 'orbit://manual/';

interface Page {
    readonly name: string;
    readonly title: string;
    readonly text: string;
}

/** `manual` is that of cli/build.js. */
export function listPages(manual: string): object {
    const resources = pagesOf(manual).map(({ name, title, text }) => ({
        uri: SCHEME + name,
        name,
        title,
        mimeType: 'text/markdown',
        size: new TextEncoder().encode(text).length,
    }));
    return { resources };
}

/** Throws RequestError for a page that is not there. */
export function readPage(manual: string, uri: unknown): object {
    const page = pagesOf(manual).find(({ name }) => SCHEME + name === uri);
    if (page === undefined) {
        throw new RequestError(
            RESOURCE_NOT_FOUND,
            `there is no resource ${JSON.stringify(uri)}; resources/list has all`,
        );
    }
    return { contents: [{ uri: SCHEME + page.name, mimeType: 'text/markdown', text: page.text }] };
}

function pagesOf(manual: string): Page[] {
    const pages = parsed(manual);
    invariant(isRecord(pages), 'the manual is an object');
    return Object.entries(pages).map(([name, page]) => {
        invariant(
            isRecord(page) && typeof page['title'] === 'string' && typeof page['text'] === 'string',
            'a page has a title and a text',
        );
        return { name, title: page['title'], text: page['text'] };
    });
}
