/** A long model of many small protocols: a family of alike processes each, with one guard on the next family. */

/** The values that a family counts up to, no two families of one kind the same. */
function boundOf(family: number): number {
    return 2 + Math.floor(family / PROTOCOLS.length);
}

/** Instances of each family. */
export const INSTANCES = 6;

/** About 25 lines for each family. */
export function familyModel(families: number): string {
    const parts = Array.from({ length: families }, (_, family) =>
        PROTOCOLS[family % PROTOCOLS.length]!(family, families),
    );
    return `/// A generated model of ${families} families.
model Families

type Id = 0 .. ${INSTANCES - 1}
enum Phase = { idle, trying, inside, leaving }
${parts.join('')}`;
}

/** The guard of a family that looks at the next one, as it stands in the text, and as an edit may leave it. */
export function guardOf(family: number, families: number): { readonly before: string; readonly after: string } {
    const next = (family + 1) % families;
    const guard = `load${next}[i] <= 1`;
    return { before: guard, after: guard.replace('<=', '<') };
}

const PROTOCOLS: readonly ((family: number, families: number) => string)[] = [
    (f, all) => `
/// Mutual exclusion by looking around, number ${f}.
var phase${f}: Phase[Id] = idle
var load${f}: 0 .. ${boundOf(f)}[Id] = 0

process Looker${f}[i: Id] {
    loop {
        try: when phase${f}[i] == idle && ${guardOf(f, all).before} {
            phase${f}[i] := trying
        }
        choose {
            enter: when forall j in Id where j != i: phase${f}[j] != inside && load${f}[j] <= ${boundOf(f)} {
                phase${f}[i] := inside;
                if load${f}[i] < ${boundOf(f)} { load${f}[i] := load${f}[i] + 1 }
            }
            leave: {
                phase${f}[i] := leaving
            }
        } or {
            yield: when (exists j in Id: phase${f}[j] == inside) {
                phase${f}[i] := idle
            }
        }
        rest: { phase${f}[i] := idle; load${f}[i] := 0 }
    }
}
`,
    (f, all) => `
/// A pool of resources, number ${f}.
var load${f}: 0 .. ${boundOf(f)}[Id] = 0
var total${f}: 0 .. ${boundOf(f) + 2} = 0

process Client${f}[i: Id] {
    var wanted: 0 .. 2 = 0
    loop {
        choose {
            want: when wanted < 2 && ${guardOf(f, all).before} { wanted := wanted + 1 }
        } or {
            take: when wanted > 0 && sum(j in Id: load${f}[j]) < ${boundOf(f) + 2} && total${f} < ${boundOf(f) + 2} {
                if load${f}[i] < ${boundOf(f)} {
                    load${f}[i] := load${f}[i] + 1;
                    total${f} := total${f} + 1
                };
                wanted := wanted - 1
            }
        } or {
            give: when load${f}[i] > 0 && total${f} > 0 {
                load${f}[i] := load${f}[i] - 1;
                total${f} := total${f} - 1
            }
        }
    }
}
`,
    (f, all) => `
/// Whoever has the most goes on, number ${f}.
var load${f}: 0 .. ${boundOf(f)}[Id] = any
var leader${f}: Id? = none

process Candidate${f}[i: Id] {
    loop {
        choose {
            stand: when leader${f} == none && load${f}[i] == max(j in Id: load${f}[j]) && ${guardOf(f, all).before} {
                leader${f} := i
            }
        } or {
            work: when leader${f} == i && load${f}[i] > 0 {
                load${f}[i] := load${f}[i] - 1;
                leader${f} := none
            }
        } or {
            wait: when leader${f} != none && leader${f} != i && count(j in Id: load${f}[j] == 0) >= ${1 + (f % 3)} {
                load${f}[i] := (load${f}[i] + ${1 + (f % 2)}) mod ${boundOf(f) + 1}
            }
        } or {
            again: when forall j in Id: load${f}[j] == 0 {
                load${f}[i] := ${1 + (f % 2)};
                leader${f} := none
            }
        }
    }
}
`,
    (f, all) => `
/// Tickets, number ${f}.
var load${f}: 0 .. ${boundOf(f)}[Id] = 0
var phase${f}: Phase[Id] = idle
var served${f}: 0 .. ${boundOf(f)} = 0

process Customer${f}[i: Id] {
    loop {
        draw: when phase${f}[i] == idle && load${f}[i] == 0 && ${guardOf(f, all).before} {
            phase${f}[i] := trying;
            load${f}[i] := 1 + (max(j in Id: load${f}[j]) mod ${boundOf(f)})
        }
        enter: when forall j in Id where j != i: load${f}[j] == 0 || load${f}[j] >= load${f}[i] {
            phase${f}[i] := inside;
            served${f} := load${f}[i]
        }
        leave: when phase${f}[i] == inside || served${f} > ${boundOf(f) - 1} {
            phase${f}[i] := leaving;
            load${f}[i] := 0
        }
        rest: when phase${f}[i] == leaving && (exists j in Id: phase${f}[j] != inside) {
            phase${f}[i] := idle
        }
    }
}
`,
];
