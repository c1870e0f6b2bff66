/** The layout of single constructs. For every text: no token is lost, and formatting twice is formatting once. */
import { readFileSync, readdirSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatText } from '../../language-server/formatting/format-text.js';
import { layouts, piecesOf } from './layouts.js';

function formatted(text: string): string {
    const result = formatText(text, 'file:///model.orbit');
    if (result.text === undefined) {
        throw new Error(result.problems.map(({ message }) => message).join('\n'));
    }
    return result.text;
}

const models = readdirSync('models')
    .filter(file => file.endsWith('.orbit'))
    .map(file => ({ file, text: readFileSync(`models/${file}`, 'utf8') }));

describe('the models of this project', () => {
    test.each(models)('models/$file is laid out', ({ text }) => {
        expect(formatted(text)).toBe(text);
    });

    test('keep their tokens and comments, and are laid out at once, however they were written', () => {
        fc.assert(
            fc.property(
                fc.constantFrom(...models).chain(({ text }) => fc.tuple(fc.constant(text), layouts(text))),
                ([text, layout]) => {
                    expect(piecesOf(layout)).toEqual(piecesOf(text));
                    const once = formatted(layout);
                    expect(piecesOf(once)).toEqual(piecesOf(text));
                    expect(formatted(once)).toBe(once);
                },
            ),
            { numRuns: 100 },
        );
    }, 120_000);
});

/** Formats `before`, without the indentation of this file, and expects `after`. */
function becomes(before: string, after: string): void {
    expect(formatted(unindented(before))).toBe(unindented(after));
}

function unindented(text: string): string {
    const lines = text.replace(/^\n/, '').replace(/\n *$/, '\n').split('\n');
    const indent = Math.min(...lines.filter(line => line.trim() !== '').map(line => line.search(/\S/)));
    return lines.map(line => line.slice(indent)).join('\n');
}

test('the condition of a loop and the text of an assertion stand on the line of what they belong to', () => {
    becomes(
        `
        process P {
        l: { for i in T   where !a[ i ]{a[i]:=true} assert   a[0],"both  are" }
        }
        `,
        `
        process P {
            l: { for i in T where !a[i] { a[i] := true } assert a[0], "both  are" }
        }
        `,
    );
});

test('words about runs are laid out like other operators, and two words have one space', () => {
    becomes(
        `
        strong   fair
        process P[ i:T ]{ end   strong fair
        l:skip;fair m : x:=1 }
        property  p=forall i in T:P[i]
        at l leads
           to P[ i ] takes
             m
        property q = !always( infinitely
          often x )
            && (x
            until possible(x))
        assume   a=infinitely often
        !x
        `,
        `
        strong fair process P[i: T] { end strong fair l: skip; fair m: x := 1 }
        property p = forall i in T: P[i] at l leads to P[i] takes m
        property q = !always (infinitely often x)
            && (x
            until possible (x))
        assume a = infinitely often
            !x
        `,
    );
});

test('operators have spaces around them, signs and brackets do not', () => {
    becomes(
        `
        model   M
        const x=- 1+( 2*3 )
        var a:0..N-1 [T ,U]?=any
        invariant i = ! a [ 1 , 2 ] && min( 1,2 )==- x && (count (i in T : b . c) > 0)
        `.replace('[T ,U]?', '[T ,U]'),
        `
        model M
        const x = -1 + (2 * 3)
        var a: 0 .. N - 1[T, U] = any
        invariant i = !a[1, 2] && min(1, 2) == -x && (count(i in T: b.c) > 0)
        `,
    );
});

test('channels, messages and fields', () => {
    becomes(
        `
        record R={a:bool , b : T?where a}
        channel c [T] :2 of R
        process P{c[1]!R( true,none );c[1]?x;d ?(_ , ==3)  {x.a:=true}}
        `,
        `
        record R = { a: bool, b: T? where a }
        channel c[T]: 2 of R
        process P { c[1] ! R(true, none); c[1] ? x; d ? (_, == 3) { x.a := true } }
        `,
    );
});

test('templates and the creation of their instances', () => {
    expect(formatted('init  s [ i:T , j : U  where  i!=j ]{x:=i}')).toBe(
        'init s[i: T, j: U where i != j] { x := i }\n',
    );
    expect(formatted('procedure  send ( var  x:T,y : U ){ x:=y ; send ( x ,y ) }')).toBe(
        'procedure send(var x: T, y: U) { x := y; send(x, y) }\n',
    );
    expect(formatted('process  W ( x:T,y : W ? ){ w:=spawn  W ( x ,self ) ; go :spawn W( ) }')).toBe(
        'process W(x: T, y: W?) { w := spawn W(x, self); go: spawn W() }\n',
    );
    expect(formatted('invariant i=(w) at l&&a[ w ].f at  l&&alive ( w )')).toBe(
        'invariant i = (w) at l && a[w].f at l && alive(w)\n',
    );
});

test('cases have their fields directly behind their name', () => {
    expect(formatted('enum  M={ask ( b:T,c : U ) ,done }')).toBe('enum M = { ask(b: T, c: U), done }\n');
    expect(formatted('process P{c?ask ( ==b,_ ){x:=m  is  ask&&m . b==1}}')).toBe(
        'process P { c ? ask(== b, _) { x := m is ask && m.b == 1 } }\n',
    );
});

test('braces are on one line or open', () => {
    becomes(
        `
        process P { loop { a: x := 1
        b: y := 2; c: z := 3 } }
        `,
        `
        process P {
            loop {
                a: x := 1
                b: y := 2;
                c: z := 3
            }
        }
        `,
    );
});

test('statements may share a line in braces that their author opened', () => {
    const text = `
        process P {
            a: x := 1; b: y := 2;
            c: z := 3
        }
        `;
    becomes(text, text);
});

test('alternatives are all open or all on one line', () => {
    becomes(
        `
        process P {
          choose { a: skip } or { b:
             skip
          }
          if x { a: skip }
          else { b: skip }
        }
        `,
        `
        process P {
            choose {
                a: skip
            } or {
                b: skip
            }
            if x { a: skip }
            else { b: skip }
        }
        `,
    );
});

test('a line that is too long is opened from outside', () => {
    const step = 'a: when first && second && third { first := false; second := false; third := false }';
    becomes(
        `process Philosopher { loop { ${step} ${step} } }\n`,
        `
        process Philosopher {
            loop {
                ${step}
                ${step}
            }
        }
        `,
    );
});

test('comments stay where they are, and blank lines one by one', () => {
    becomes(
        `


        // first

        /// documented
        model M // the model
        var x: bool   // a flag
                      // of two lines



        process P {

          // before
          a: skip // behind

          // at the end
        }
        `,
        `
        // first

        /// documented
        model M // the model
        var x: bool   // a flag
                      // of two lines

        process P {
            // before
            a: skip // behind

            // at the end
        }
        `,
    );
});

test('declarations with open braces have blank lines around them', () => {
    becomes(
        `
        var x: bool
        /// Runs.
        process P {
            skip
        }
        invariant i = x
        `,
        `
        var x: bool

        /// Runs.
        process P {
            skip
        }

        invariant i = x
        `,
    );
});

test('what was aligned stays aligned, and moves together', () => {
    becomes(
        `
        type Agent=0 .. 3
        type Bit  =0 .. 1

        var leader: bool[Agent] =any      // first
        var token:  Bit[Agent]  = any     // second
        process P {
          choose { get[f, f];    put[f, f] }
          or     { get[left, f]; put[left, f] }
        }
        `,
        `
        type Agent = 0 .. 3
        type Bit   = 0 .. 1

        var leader: bool[Agent] = any     // first
        var token:  Bit[Agent]  = any     // second

        process P {
            choose { get[f, f];    put[f, f] }
            or     { get[left, f]; put[left, f] }
        }
        `,
    );
});

test('spaces that align nothing are no alignment', () => {
    becomes('var   x :  bool\nvar second:     bool =   true\n', 'var x: bool\nvar second: bool = true\n');
});

test('the body of a step may stand below its guard, if it is on one line', () => {
    becomes(
        `
        process P {
          enter: when a == b &&
                      c
                 { a := 1; b := 2 }
          leave: when a
                 {
                   a := 1
                 }
        }
        `,
        `
        process P {
            enter: when a == b &&
                        c
                   { a := 1; b := 2 }
            leave: when a {
                a := 1
            }
        }
        `,
    );
});

test('lists whose brackets are broken are indented', () => {
    becomes(
        `
        const cost: 0 .. 9[2, 2] = [
        1, 2,
          3, 4 ]
        enum Color = {
          red, // like blood
          green }
        `,
        `
        const cost: 0 .. 9[2, 2] = [
            1, 2,
            3, 4
        ]
        enum Color = {
            red, // like blood
            green
        }
        `,
    );
});

test('the line ends of the file stay as they are', () => {
    expect(formatted('model M\r\nvar  x: bool\r\n')).toBe('model M\r\nvar x: bool\r\n');
});

test('a text without anything in it is empty', () => {
    expect(formatted('  \n\n')).toBe('');
    expect(formatted('  // only this\n\n')).toBe('// only this\n');
});

test('a text with syntax errors is not touched', () => {
    const result = formatText('model M\nvar x bool\n', 'file:///model.orbit');
    expect(result.text).toBeUndefined();
    expect(result.text === undefined && result.problems[0]?.range.start.line).toBe(1);
});
