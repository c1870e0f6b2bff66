/** What a shell can complete in a call: read from the tables of commands and options, so that they always agree. */
import { COMMAND_OPTIONS, type CommandName, type CommandOption } from '../../engine/options.js';
import { PASSES } from '../../engine/passes/pass-names.js';
import { COMMANDS, OTHER_COMMANDS, SHELLS, STDIO_MEANING } from '../options/commands.js';

export interface CommandCompletion {
    readonly name: string;
    readonly meaning: string;
    readonly options: readonly OptionCompletion[];
    /** Its arguments: files with this ending, or one of these words. */
    readonly argument: '.orbit' | '.m' | readonly string[];
}

export interface OptionCompletion {
    /** `--format` */
    readonly name: string;
    readonly meaning: string;
    /** The values that are known: `parameters` and `properties` are those of a model in the call. Absent for a flag. */
    readonly value?: readonly string[] | 'files' | 'parameters' | 'properties';
}

const HELP = { name: '--help', meaning: 'show this help' };

export function completions(): readonly CommandCompletion[] {
    const names = Object.keys(COMMANDS) as CommandName[];
    return [
        ...names.map(name => ({
            name,
            meaning: COMMANDS[name][0],
            options: [...COMMAND_OPTIONS[name].map(toCompletion), HELP],
            argument: name === 'import' ? ('.m' as const) : ('.orbit' as const),
        })),
        {
            name: 'lsp',
            meaning: OTHER_COMMANDS.lsp,
            options: [{ name: '--stdio', meaning: STDIO_MEANING }, HELP],
            argument: [],
        },
        { name: 'mcp', meaning: OTHER_COMMANDS.mcp, options: [HELP], argument: [] },
        { name: 'completion', meaning: OTHER_COMMANDS.completion, options: [HELP], argument: SHELLS },
        { name: 'help', meaning: 'show the help of a command', options: [], argument: [...names, ...otherNames()] },
    ];
}

function otherNames(): readonly string[] {
    return Object.keys(OTHER_COMMANDS);
}

function toCompletion({ flags, kind, meaning, choices }: CommandOption): OptionCompletion {
    const [name = '', placeholder = ''] = flags.split(' ');
    if (kind === 'flag') {
        return { name, meaning };
    }
    const value = (): OptionCompletion['value'] & {} => {
        if (choices !== undefined) {
            return choices;
        }
        switch (kind) {
            case 'parameter':
            case 'range':
                return 'parameters';
            case 'passes':
                return ['default', 'all', 'none', ...PASSES];
            default:
                return placeholder === '<file>' ? 'files' : name === '--property' ? 'properties' : [];
        }
    };
    return { name, meaning, value: value() };
}

/**
 * Programs of `sed -n`: the parameters of a model, each with `=`, and its properties. A text that is not laid out as
 * usual has none.
 */
export const PARAMETERS_OF_MODEL = 's/^[[:space:]]*param[[:space:]]*\\([[:alnum:]_]*\\).*/\\1=/p';
export const PROPERTIES_OF_MODEL = ['invariant', 'property']
    .map(word => `s/^[[:space:]]*${word}[[:space:]]*\\([[:alnum:]_]*\\)[[:space:]]*=.*/\\1/p`)
    .join(';');
