/** The forms of logs. */
import { expect, test } from 'vitest';
import { parseMapping } from '../../logs/log-mapping.js';
import { linesOf } from '../../logs/read-lines.js';

test('lines of a text by named groups; lines that no pattern matches say nothing', () => {
    const mapping = parseMapping(JSON.stringify({ text: ['^(?<step>enter|leave) by (?<i>\\w+)', '^(?<step>tick)$'] }));
    expect(typeof mapping).toBe('object');
    const { form } = mapping as Exclude<typeof mapping, string>;
    expect([...linesOf('enter by a\n# nothing\r\ntick\n', form)]).toEqual([
        { line: 1, entry: { step: 'enter', i: 'a' } },
        { line: 3, entry: { step: 'tick' } },
    ]);
});

test('spans by the time of their end', () => {
    const span = (name: string, end: string, i: string): object => ({
        name,
        endTimeUnixNano: end,
        attributes: [
            { key: 'i', value: { stringValue: i } },
            { key: 'n', value: { intValue: '3' } },
            { key: 's', value: { arrayValue: { values: [{ boolValue: true }] } } },
        ],
    });
    const document = {
        resourceSpans: [
            { scopeSpans: [{ spans: [span('second', '1700000000000000002', 'b')] }] },
            { scopeSpans: [{ spans: [span('first', '1700000000000000001', 'a')] }] },
        ],
    };
    expect([...linesOf(JSON.stringify(document), { kind: 'json' })]).toEqual([
        { line: 1, entry: { step: 'first', i: 'a', n: 3, s: [true] } },
        { line: 2, entry: { step: 'second', i: 'b', n: 3, s: [true] } },
    ]);
});

test.each([
    ['[]', 'one JSON object'],
    ['{"hid":[]}', 'no key of a mapping'],
    ['{"text":["("]}', 'no regular expression'],
    ['{"hide":3}', 'texts'],
    ['{"names":{"Server":3}}', '`names` says'],
])('%s is no mapping', (text, reason) => {
    expect(parseMapping(text)).toContain(reason);
});
