/** The models of models/ whose processes are created and end, as texts with other values of their parameters. */
import { readFileSync } from 'node:fs';

/** The system of [KlaudelEtAl2009]: a session is a process, a function call is one, too. */
export function sessions(servers: number, atOnce: number): string {
    return textOf('sessions', { N: servers, K: atOnce });
}

/** The same with relations between the handlers of a server: which came directly after which, which is the elder. */
export function siblings(servers: number, atOnce: number, relations: readonly ('after' | 'elder')[]): string {
    const text = textOf('siblings', { N: servers, K: atOnce });
    const left = ['after', 'elder'].filter(relation => !relations.some(kept => kept === relation));
    const isAbout = (line: string, relation: string): boolean =>
        (relation === 'after' ? /\bafter\b|last := new|gone == last/ : /\belder\b/).test(line);
    return text
        .split('\n')
        .filter(line => !left.some(relation => isAbout(line, relation)))
        .join('\n')
        .replaceAll(/;\s*}/g, ' }');
}

/** Restarts without end. A client may hold the name of an actor that has ended. */
export function supervisor(actors: number): string {
    return textOf('supervisor', { A: actors });
}

/** A ring that grows and shrinks. */
export function tokenRing(members: number): string {
    return textOf('token-ring-grows', { M: members });
}

/** A task of some depth splits into two and waits for their ends. */
export function forkJoin(depth: number): string {
    return textOf('fork-join', { D: depth });
}

/** A worker for each request; those that write exclude one another. */
export function requests(workers: number): string {
    return textOf('requests', { W: workers });
}

function textOf(name: string, values: Readonly<Record<string, number>>): string {
    const text = readFileSync(`models/${name}.orbit`, 'utf8');
    return text.replaceAll(/(?<=^param (\w+):.*= )\d+/gm, (value, parameter: string) =>
        String(values[parameter] ?? value),
    );
}
