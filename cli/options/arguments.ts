/**
 * The grammar of the command line: from the words after `orbit` to an `Invocation`, plain data that the commands read.
 * The options of each command are those of the table in engine/options.ts; any other option is an error.
 *
 * Nothing here prints or exits: help, version and complaints of commander are returned or thrown as a CallError.
 */
import { Argument, Command, CommanderError, Option } from 'commander';
import { invariant } from '../../engine/common/assert.js';
import {
    COMMAND_OPTIONS,
    REPORT_FORMATS,
    STATE_GRAPH_FORMS,
    type CommandName,
    type CommandOption,
} from '../../engine/options.js';
import { CallError } from '../call-error.js';
import { VERSION } from '../version.js';
import { COMMANDS, EXAMPLES, OTHER_COMMANDS, SHELLS, STDIO_MEANING, type Shell } from './commands.js';
import type { ExploreInvocation, Invocation, ReportFormat } from './invocation.js';
import { READERS } from './option-values.js';

/** Parses the words after `orbit`. Throws a CallError for an unknown or wrong command or option. */
export function parseArguments(words: readonly string[]): Invocation {
    let invocation: Invocation | undefined = undefined as Invocation | undefined;
    let printed = '';
    let complaint = '';
    const program = createProgram(found => (invocation = found));
    for (const command of [program, ...program.commands]) {
        command.exitOverride().configureOutput({
            writeOut: text => (printed += text),
            writeErr: text => (complaint += text),
            outputError: (text, write) => write(text),
        });
    }
    try {
        program.parse(words, { from: 'user' });
    } catch (error) {
        if (!(error instanceof CommanderError)) {
            throw error;
        }
        if (error.exitCode === 0) {
            return { command: 'print', text: printed };
        }
        if (error.code === 'commander.help') {
            const [first, asked] = words;
            const wrong = first === 'help' && asked !== undefined ? `unknown command '${asked}'` : 'no command given';
            throw new CallError('call/command', `${wrong}; 'orbit --help' lists them`);
        }
        const [first = ''] = words;
        throw error.code === 'commander.unknownCommand' && /\.orbit$|\//.test(first)
            ? new CallError(
                  'call/command',
                  `'${first}' is no command; a model is explored with 'orbit explore ${first}'`,
              )
            : new CallError('call/option', toMessage(complaint));
    }
    invariant(invocation !== undefined, 'a call that commander accepts has a command');
    return invocation;
}

/** The form that the caller wants, without parsing the rest: a wrong call is also reported in the requested form. */
export function wantedFormat(words: readonly string[]): ReportFormat {
    const options = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
    const isWanted = (format: ReportFormat): boolean =>
        options.some(
            (word, index) => word === `--format=${format}` || (word === format && options[index - 1] === '--format'),
        );
    return options.includes('--json') ? 'json' : (REPORT_FORMATS.find(isWanted) ?? 'text');
}

/** Commander writes `error: unknown option '--x'`; `run` adds a prefix of its own. */
function toMessage(complaint: string): string {
    return complaint.trim().replace(/^error: /, '');
}

type Receiver = (invocation: Invocation) => void;

/** A call of a command that has options in the table. */
type CommandInvocation = Extract<Invocation, { readonly command: CommandName }>;

function createProgram(receive: Receiver): Command {
    const program = new Command('orbit')
        .description('Models of concurrent systems that find their own symmetries')
        .helpCommand('help [command]', 'show the help of a command')
        .showSuggestionAfterError(true)
        .enablePositionalOptions()
        .addHelpText('after', EXIT_CODES_HELP);
    for (const name of Object.keys(COMMANDS) as CommandName[]) {
        program.addCommand(createCommand(name, receive));
    }
    program
        .command('lsp')
        .description(OTHER_COMMANDS.lsp)
        .requiredOption('--stdio', STDIO_MEANING)
        .addHelpText('after', exampleOf('lsp'))
        .action(() => receive({ command: 'lsp' }));
    program
        .command('mcp')
        .description(OTHER_COMMANDS.mcp)
        .addHelpText('after', MCP_HELP)
        .action(() => receive({ command: 'mcp' }));
    program
        .command('completion')
        .description(OTHER_COMMANDS.completion)
        .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
        .addHelpText('after', COMPLETION_HELP)
        .action((shell: Shell) => receive({ command: 'completion', shell }));
    for (const command of [program, ...program.commands]) {
        command
            .version(`orbit ${VERSION}`, '-V, --version', 'print the version')
            .helpOption('-h, --help', 'show this help');
    }
    return program;
}

function exampleOf(name: keyof typeof EXAMPLES): string {
    return `\nExample:\n  ${EXAMPLES[name]}`;
}

const MCP_HELP = `
A client starts it, reads its resources, which are the manual, and calls its tools, one for each question. In its configuration:
  { "mcpServers": { "orbit": { "command": "orbit", "args": ["mcp"] } } }`;

const COMPLETION_HELP = `
bash: eval "$(orbit completion bash)"       in ~/.bashrc
zsh:  eval "$(orbit completion zsh)"        in ~/.zshrc, after compinit
fish: orbit completion fish | source        in ~/.config/fish/config.fish`;

const EXIT_CODES_HELP = `
FILE is a path, or - for standard input.

Example: ${EXAMPLES.explore}

Exit codes:
  0    everything that the model states holds
  1    a property is violated, or a deadlock or a fault was found
  2    the model or the command line is wrong
  3    undecided: a limit was reached first, or --param N=all left something unasked
  70   a defect in Orbit itself
  130  interrupted`;

function createCommand(name: CommandName, receive: Receiver): Command {
    const [description, argument] = COMMANDS[name];
    const command = new Command(name)
        .description(description)
        .argument(...argument)
        .addHelpText('after', exampleOf(name));
    const options = COMMAND_OPTIONS[name].map(row => ({ row, option: toOption(row) }));
    options.forEach(({ option }) => command.addOption(option));
    return command.action((given: string | string[], values: Readonly<Record<string, unknown>>) => {
        const fields = options.flatMap(({ row, option }): [string, unknown][] => {
            const key = option.attributeName();
            const value = row.kind === 'flag' ? values[key] === true : values[key];
            return value === undefined ? [] : [[row.field ?? key, value]];
        });
        receive(
            consistent(
                {
                    parameters: new Map(),
                    ...Object.fromEntries(fields),
                    command: name,
                    ...(typeof given === 'string' ? { file: given } : { files: given }),
                } as unknown as CommandInvocation,
                option => command.getOptionValueSource(option) === 'cli',
            ),
        );
    });
}

function toOption({ flags, kind, meaning, choices, isRequired, conflicts, ...row }: CommandOption): Option {
    const option = new Option(flags, meaning)
        .makeOptionMandatory(isRequired === true)
        .conflicts([...(conflicts ?? [])]);
    const read = READERS[kind];
    if (choices !== undefined) {
        option.choices(choices);
    } else if (read !== undefined) {
        option.argParser(read as (text: string, previous: unknown) => unknown);
    }
    return row.default === undefined ? option : option.default(row.default);
}

/** Settles options that have a meaning only together. Throws a CallError if they contradict each other. */
function consistent(given: CommandInvocation, isGiven: (option: string) => boolean): Invocation {
    const { json, format } = given;
    if (json && isGiven('format') && format !== 'json') {
        throw new CallError('call/option', `options '--json' and '--format ${format}' contradict`);
    }
    const form = json ? 'json' : format;
    const invocation = {
        ...given,
        json: form === 'json',
        ...(form !== undefined && { format: form }),
    } as CommandInvocation;
    switch (invocation.command) {
        case 'check':
            if (invocation.updatesBaseline && invocation.baselineFile === undefined) {
                throw new CallError('call/option', "option '--update-baseline' needs '--symmetry-baseline <file>'");
            }
            return invocation;
        case 'mutate':
            if (invocation.updatesBaseline && invocation.baselineFile === undefined) {
                throw new CallError('call/option', "option '--update-baseline' needs '--baseline <file>'");
            }
            return invocation;
        case 'tests':
            if (invocation.outputFolder !== undefined && invocation.form !== 'scripts') {
                throw new CallError('call/option', "option '--output <folder>' needs '--as scripts'");
            }
            if (invocation.json && invocation.form === 'scripts') {
                throw new CallError('call/option', "options '--json' and '--as scripts' contradict");
            }
            if (invocation.adapter !== undefined && invocation.form === 'scripts') {
                throw new CallError('call/option', "options '--with' and '--as scripts' contradict");
            }
            if (invocation.adapter?.trim() === '') {
                throw new CallError('call/option', "option '--with <command>' needs a command");
            }
            if (invocation.asksForbidden && invocation.adapter === undefined) {
                throw new CallError('call/option', "option '--forbidden' needs '--with <command>'");
            }
            return { ...invocation, json: invocation.json || invocation.form === 'json' };
        case 'symmetry':
            refuseWith(invocation.format, '--why', invocation.why);
            return invocation;
        case 'explore':
            refuseWith(invocation.format, '--coverage', invocation.countsCoverage);
            refuseWithPartialOrder(invocation);
            if (invocation.checkpointInterval !== undefined && invocation.checkpointFile === undefined) {
                throw new CallError(
                    'call/option',
                    "option '--checkpoint-interval <seconds>' needs '--checkpoint <file>'",
                );
            }
            if (invocation.sweep !== undefined && invocation.parameters.has(invocation.sweep.name)) {
                throw new CallError('call/option', `the parameter '${invocation.sweep.name}' is both swept and given`);
            }
            return invocation;
        case 'simulate': {
            // A script has no seed, not even the default.
            const { seed, ...others } = invocation;
            return invocation.scriptFile === undefined ? { ...others, ...(seed !== undefined && { seed }) } : others;
        }
        case 'export':
            if (isGiven('reduction') && !STATE_GRAPH_FORMS.some(form => form === invocation.form)) {
                throw new CallError(
                    'call/option',
                    `option '--reduction' is for state graphs, not for '--to ${invocation.form}'`,
                );
            }
            return invocation;
        case 'expand':
            if (invocation.isBinary && invocation.verdictsFile === undefined) {
                throw new CallError(
                    'call/option',
                    "option '--binary' needs '--verdicts <file>': verdicts have no place between records",
                );
            }
            if (invocation.json && !invocation.isIdentity && !invocation.isRun) {
                throw new CallError('call/option', "'--json' is for '--identity' and '--run': states are lines");
            }
            if (invocation.reduction === 'none' && invocation.certificateFile !== undefined) {
                throw new CallError('call/option', "'--reduction none' uses no '--certificate <file>'");
            }
            return invocation;
        default:
            return invocation;
    }
}

/** Where some steps are not taken, it is not known how often a step is taken, nor all ways to violate a property. */
function refuseWithPartialOrder({ por, countsCoverage, maxViolations = 1 }: ExploreInvocation): void {
    const refused = countsCoverage ? '--coverage' : maxViolations > 1 ? '--max-violations <count>' : undefined;
    if (por !== 'off' && refused !== undefined) {
        const reason = `some ${countsCoverage ? 'steps' : 'runs to a violation'} are left out`;
        throw new CallError('call/option', `option '--por ${por}' cannot be used with option '${refused}': ${reason}`);
    }
}

/** Reports for other programs have no place for what some options ask for. */
function refuseWith(format: ReportFormat, option: string, isAsked: boolean): void {
    if (isAsked && format !== 'text' && format !== 'json') {
        throw new CallError('call/option', `'--format ${format}' has no place for what '${option}' asks for`);
    }
}
