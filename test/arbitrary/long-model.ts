/** A model as long as one wants, for measurements and tests of what the editor does with long texts. */

const GROUP_LINES = 31;

/** A model without problems of about `lines` lines: groups that know nothing of each other. */
export function longModel(lines: number): string {
    const groups = Array.from({ length: Math.ceil(lines / GROUP_LINES) }, (_, index) => group(index));
    return `${HEAD}${groups.join('')}`;
}

const HEAD = `/// A generated model.
model Long

param N: 2 .. 8 = 3
type Proc = 0 .. N - 1
enum Color = { red, green, blue }
`;

function group(index: number): string {
    return `
/// Whose turn it is in group ${index}.
var turn${index}: Proc = 0
var color${index}: Color[Proc] = red
var count${index}: 0 .. 15[Proc] = 0
event meet${index}[Proc]

function next${index}(i: Proc): Proc = (i + 1) mod N

/// Group ${index}.
process Group${index}[i: Proc] {
    const right = next${index}(i)
    var k: 0 .. 7 = 0
    loop {
        choose {
            take: when turn${index} == i && color${index}[i] != blue {
                color${index}[i] := green;
                k := if k < 7 then k + 1 else 0
            }
        } or {
            pass: when turn${index} == i && (forall j in Proc where j != i: color${index}[j] != red) { turn${index} := right }
        } or {
            meet${index}[i] { count${index}[i] := (count${index}[i] + k) mod 16 }
        }
        rest: when count${index}[i] < 15 { turn${index} := right }
    }
}

invariant safe${index} = count(i in Proc: Group${index}[i] at rest) <= N
`;
}
