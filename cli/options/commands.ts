/** What each command does, and what it is about: for its help and for completion in shells. */
import type { CommandName } from '../../engine/options.js';

const FILE = ['<FILE>', 'a model, or - for standard input'] as const;

/** Those with options in the table of engine/options.ts, each with the name of its argument and what that is. */
export const COMMANDS: Readonly<Record<CommandName, readonly [string, readonly [string, string]]>> = {
    check: [
        'parse, resolve and type-check models',
        ['<FILE...>', 'models, folders with models, or - for standard input'],
    ],
    symmetry: ['detect and report the symmetry group of a model', FILE],
    explore: ['search the state space and check everything the model states', FILE],
    simulate: ['walk from state to state, at random or following a script, and stop at the first violation', FILE],
    mutate: [
        'change a model at one place after the other, and report what nothing in it notices',
        ['<FILE...>', 'models, folders with models, or - for standard input'],
    ],
    match: [
        'judge logs of a real system: whether some run of the model is what they say',
        ['<FILE...>', 'a model, then its logs, or none: those that its mapping names; - is standard input'],
    ],
    tests: [
        'choose runs of a model that together take one of each orbit of its transitions, as tests of a real system',
        FILE,
    ],
    verify: ['check the symmetries of a model again, independently of how they were found', FILE],
    export: ['write an intermediate form of a model, for other programs or for reading', FILE],
    expand: ['write the successors of states, for searches on several machines or on disk', FILE],
    import: ['write a model of Murphi in this language', ['<FILE>', 'a model of Murphi, or - for standard input']],
    format: [
        'format models in place, in the one style there is',
        ['<FILE...>', 'models, or - to format standard input to standard output'],
    ],
};

/** One call of each, for its help. */
export const EXAMPLES: Readonly<Record<CommandName | 'lsp', string>> = {
    check: 'orbit check models --symmetry-baseline symmetries.json',
    symmetry: 'orbit symmetry lock.orbit --param N=6 --why',
    explore: 'orbit explore lock.orbit --param N=6',
    simulate: 'orbit simulate lock.orbit --seed 7 --steps 20',
    mutate: 'orbit mutate models --baseline models/survivors.json',
    match: 'orbit match lock.orbit trace.jsonl --hide retry',
    tests: 'orbit tests lock.orbit --as json > tests.json',
    verify: 'orbit verify lock.orbit --output lock.certificate',
    export: 'orbit export lock.orbit --to gap --output lock.g',
    expand: 'orbit expand lock.orbit --initial | orbit expand lock.orbit',
    import: 'orbit import german.m --output german.orbit',
    format: 'orbit format models/*.orbit',
    lsp: 'orbit lsp --stdio',
};

/** Those that are about no model. */
export const OTHER_COMMANDS = {
    lsp: 'run the language server, for editors other than VS Code',
    mcp: 'run a server of the Model Context Protocol on standard input and output',
    completion: 'print a script with which a shell completes commands, options and models',
} as const;

export const STDIO_MEANING = 'speak the language server protocol on standard input and output';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];
