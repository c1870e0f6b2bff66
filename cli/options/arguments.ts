/**
 * The grammar of the command line: from the words after `orbit` to an `Invocation`, plain data that the commands read.
 *
 * An option that is not in this file does not exist and is an error, never ignored. Nothing here prints or exits:
 * what commander has to say (help, version, complaints) is returned or thrown as a CallError.
 */
import { Command, CommanderError, Option } from 'commander';
import { invariant } from '../../engine/common/assert.js';
import { PASSES, type PassName } from '../../engine/passes/pass-names.js';
import { CallError } from '../call-error.js';
import {
    type CheckFormat,
    type ColorChoice,
    type CommonOptions,
    EXPORT_FORMS,
    type ExportForm,
    type Invocation,
    type ReductionChoice,
    STATE_GRAPH_FORMS,
} from './invocation.js';
import {
    addParameter,
    memorySize,
    passNames,
    positiveInteger,
    positiveNumber,
    seed,
    threadCount,
    walkLength,
} from './option-values.js';
import { VERSION } from '../version.js';

/** The words after `orbit`. Throws a CallError where they say nothing that exists. */
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
        throw new CallError('call/option', toMessage(complaint));
    }
    invariant(invocation !== undefined, 'a call that commander accepts has a command');
    return invocation;
}

/**
 * Whether the caller wants JSON, answered without parsing the rest: a call that is wrong must be reported in the form
 * that was asked for.
 */
export function wantsJson(words: readonly string[]): boolean {
    const options = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
    return options.some(
        (word, index) =>
            word === '--json' || word === '--format=json' || (word === 'json' && options[index - 1] === '--format'),
    );
}

/** Commander says `error: unknown option '--x'`; the prefix is for `run` to choose. */
function toMessage(complaint: string): string {
    return complaint.trim().replace(/^error: /, '');
}

type Receiver = (invocation: Invocation) => void;

function createProgram(receive: Receiver): Command {
    const program = new Command('orbit')
        .description('Models of concurrent systems that find their own symmetries')
        .helpCommand('help [command]', 'show the help of a command')
        .showSuggestionAfterError(true)
        .enablePositionalOptions()
        .addHelpText('after', EXIT_CODES_HELP);
    for (const create of [
        checkCommand,
        symmetryCommand,
        exploreCommand,
        simulateCommand,
        verifyCommand,
        exportCommand,
        formatCommand,
        languageServerCommand,
    ]) {
        program.addCommand(create(receive));
    }
    for (const command of [program, ...program.commands]) {
        command
            .version(`orbit ${VERSION}`, '-V, --version', 'print the version')
            .helpOption('-h, --help', 'show this help');
    }
    return program;
}

const EXIT_CODES_HELP = `
FILE is a path, or - for standard input.

Exit codes:
  0    everything that the model states holds
  1    a property is violated, or a deadlock or a fault was found
  2    the model or the command line is wrong
  3    undecided: a limit was reached first
  70   a defect in Orbit itself
  130  interrupted`;

function checkCommand(receive: Receiver): Command {
    return withCommonOptions(
        new Command('check')
            .description('parse, resolve and type-check models')
            .argument('<FILE...>', 'models, or - for standard input')
            .addOption(
                new Option('--format <form>', 'form of the report').choices(['text', 'json', 'sarif']).default('text'),
            ),
    ).action((files: string[], options: RawOptions & { format: CheckFormat }, command: Command) => {
        if (options.json && command.getOptionValueSource('format') === 'cli' && options.format !== 'json') {
            throw new CallError('call/option', `options '--json' and '--format ${options.format}' contradict`);
        }
        receive({
            ...toCommonOptions(options),
            command: 'check',
            files,
            format: options.json ? 'json' : options.format,
            json: options.json || options.format === 'json',
        });
    });
}

function symmetryCommand(receive: Receiver): Command {
    return withCommonOptions(
        new Command('symmetry')
            .description('detect and report the symmetry group of a model')
            .argument('<FILE>', 'a model, or - for standard input')
            .option('--property <name>', 'report the subgroup that preserves this invariant (or `deadlock`)')
            .option('--why', 'explain what each declaration suggests, what was found, and why there is not more')
            .option('--no-candidates', 'do not try the symmetries that declarations suggest; search for all of them')
            .option(
                '--timeout <seconds>',
                'stop the search after this time and report the subgroup found so far',
                positiveNumber,
            ),
    ).action((file: string, options: RawSymmetryOptions) => {
        receive({
            ...toCommonOptions(options),
            command: 'symmetry',
            file,
            candidates: options.candidates,
            why: options.why === true,
            ...(options.property !== undefined && { property: options.property }),
            ...(options.timeout !== undefined && { timeoutSeconds: options.timeout }),
        });
    });
}

interface RawSymmetryOptions extends RawOptions {
    readonly property?: string;
    readonly candidates: boolean;
    readonly why?: true;
    readonly timeout?: number;
}

interface RawExploreOptions extends RawOptions {
    readonly reduction: ReductionChoice;
    /** Undefined for the default. */
    readonly passes?: readonly PassName[];
    readonly property?: string;
    readonly continue?: true;
    readonly maxViolations?: number;
    readonly maxStates?: number;
    readonly maxMemory?: number;
    readonly timeout?: number;
    readonly workers?: number;
    readonly trace?: string;
    readonly states: 'exact' | 'fingerprint';
    readonly checkpoint?: string;
    readonly checkpointInterval?: number;
    readonly resume?: string;
    readonly each?: true;
    readonly coverage?: true;
}

function exploreCommand(receive: Receiver): Command {
    return withCommonOptions(
        new Command('explore')
            .description('search the state space and check everything the model states')
            .argument('<FILE>', 'a model, or - for standard input')
            .addOption(
                new Option(
                    '--reduction <kind>',
                    'unique: store exactly one state per orbit, or end undecided; local: cheaper, perhaps several per orbit',
                )
                    .choices(['auto', 'unique', 'local', 'none'])
                    .default('auto'),
            )
            .addOption(
                new Option(
                    '--passes <list>',
                    'transformations of the model before the search: default, all, none, or a list of ' +
                        `${PASSES.join(',')}; cone, reset and merge reduce the number of states`,
                )
                    .argParser(passNames)
                    .conflicts('coverage'),
            )
            .option('--property <name>', 'check only this invariant (or `deadlock`)')
            .addOption(new Option('--search <order>', 'search order').choices(['bfs']).default('bfs'))
            .option('--continue', 'keep exploring after a violation')
            .addOption(
                new Option(
                    '--each',
                    'check each property in an exploration of its own, with the symmetries that it preserves',
                ).conflicts(['property', 'coverage']),
            )
            .option('--coverage', 'count how often each step is taken (slower)')
            .option(
                '--max-violations <count>',
                'stop after this many violations, no two of them symmetric; a property may be violated several times',
                positiveInteger,
            )
            .option('--max-states <count>', 'stop, undecided, after storing this many states', positiveInteger)
            .option(
                '--max-memory <size>',
                'stop, undecided, when the states take this many bytes (or 512M, 2G); default: half of the memory',
                memorySize,
            )
            .option('--timeout <seconds>', 'stop, undecided, after this time', positiveNumber)
            .option(
                '--workers <count>',
                'most threads that a large search may use, up to 64; default: one per processor, at most 8',
                threadCount,
            )
            .addOption(
                new Option(
                    '--states <kind>',
                    'fingerprint: store a 64-bit hash of each long state; states may be missed, with a probability that is reported',
                )
                    .choices(['exact', 'fingerprint'])
                    .default('exact'),
            )
            .addOption(
                new Option(
                    '--checkpoint <file>',
                    'if a limit or Ctrl+C ends the search, save it here for --resume',
                ).conflicts(['each', 'coverage']),
            )
            .option('--checkpoint-interval <seconds>', 'also write the checkpoint at this interval', positiveNumber)
            .addOption(
                new Option('--resume <file>', 'continue from a checkpoint of the same exploration').conflicts([
                    'each',
                    'coverage',
                ]),
            )
            .option('--trace <file>', 'write the traces of violations to a file, as JSON if its name ends in .json'),
    ).action((file: string, options: RawExploreOptions) => {
        if (options.checkpointInterval !== undefined && options.checkpoint === undefined) {
            throw new CallError('call/option', "option '--checkpoint-interval <seconds>' needs '--checkpoint <file>'");
        }
        receive({
            ...toCommonOptions(options),
            command: 'explore',
            file,
            reduction: options.reduction,
            continueAfterViolation: options.continue === true,
            ...(options.passes !== undefined && { passes: options.passes }),
            ...(options.property !== undefined && { property: options.property }),
            ...(options.maxViolations !== undefined && { maxViolations: options.maxViolations }),
            ...(options.maxStates !== undefined && { maxStates: options.maxStates }),
            ...(options.maxMemory !== undefined && { maxMemoryBytes: options.maxMemory }),
            ...(options.timeout !== undefined && { timeoutSeconds: options.timeout }),
            ...(options.workers !== undefined && { workers: options.workers }),
            ...(options.trace !== undefined && { traceFile: options.trace }),
            storesFingerprints: options.states === 'fingerprint',
            ...(options.checkpoint !== undefined && { checkpointFile: options.checkpoint }),
            ...(options.checkpointInterval !== undefined && { checkpointInterval: options.checkpointInterval }),
            ...(options.resume !== undefined && { resumeFile: options.resume }),
            isEach: options.each === true,
            countsCoverage: options.coverage === true,
        });
    });
}

function simulateCommand(receive: Receiver): Command {
    return withCommonOptions(
        new Command('simulate')
            .description('walk from state to state, at random or following a script, and stop at the first violation')
            .argument('<FILE>', 'a model, or - for standard input')
            .option('--seed <number>', 'the same seed gives the same walk', seed, 1)
            .option('--steps <count>', 'stop after this many steps', walkLength, 100)
            .addOption(
                new Option('--script <file>', 'take the steps listed in this file, written as in a trace').conflicts([
                    'seed',
                    'steps',
                ]),
            )
            .option('--timeout <seconds>', 'stop, undecided, after this time', positiveNumber),
    ).action((file: string, options: RawSimulateOptions) => {
        const { script: scriptFile, steps, timeout } = options;
        const common = {
            ...toCommonOptions(options),
            command: 'simulate',
            file,
            steps,
            ...(timeout !== undefined && { timeoutSeconds: timeout }),
        } as const;
        receive(scriptFile === undefined ? { ...common, seed: options.seed } : { ...common, scriptFile });
    });
}

interface RawSimulateOptions extends RawOptions {
    readonly seed: number;
    readonly steps: number;
    readonly script?: string;
    readonly timeout?: number;
}

interface RawVerifyOptions extends RawOptions {
    readonly certificate?: string;
    readonly output?: string;
    readonly timeout?: number;
}

function verifyCommand(receive: Receiver): Command {
    return withCommonOptions(
        new Command('verify')
            .description('check the symmetries of a model again, independently of how they were found')
            .argument('<FILE>', 'a model, or - for standard input')
            .option('--certificate <file>', 'check the claims of this certificate instead of searching')
            .addOption(
                new Option('--output <file>', 'write a certificate of what was verified').conflicts('certificate'),
            )
            .option('--timeout <seconds>', 'stop, undecided, after this time; default: 60', positiveNumber),
    ).action((file: string, options: RawVerifyOptions) => {
        receive({
            ...toCommonOptions(options),
            command: 'verify',
            file,
            ...(options.certificate !== undefined && { certificateFile: options.certificate }),
            ...(options.output !== undefined && { outputFile: options.output }),
            ...(options.timeout !== undefined && { timeoutSeconds: options.timeout }),
        });
    });
}

interface RawExportOptions extends RawOptions {
    readonly to: ExportForm;
    readonly reduction: 'none' | 'unique';
    readonly output?: string;
}

function exportCommand(receive: Receiver): Command {
    return withCommonOptions(
        new Command('export')
            .description('write an intermediate form of a model, for other programs or for reading')
            .argument('<FILE>', 'a model, or - for standard input')
            .addOption(
                new Option(
                    '--to <form>',
                    'graph-dimacs: the colored graph, as bliss reads it; graph-dot: the same with names, for Graphviz; ' +
                        'gap: the group; ' +
                        'dot, aut, json: the state graph; sequential, ssa, constraints: the stages in between, for reading',
                )
                    .choices([...EXPORT_FORMS])
                    .makeOptionMandatory(),
            )
            .addOption(
                new Option(
                    '--reduction <kind>',
                    'for state graphs; unique: one state per orbit, with the size of the orbit',
                )
                    .choices(['none', 'unique'])
                    .default('none'),
            )
            .option('--output <file>', 'write to this file instead of standard output'),
    ).action((file: string, options: RawExportOptions, command: Command) => {
        const isStateGraph = STATE_GRAPH_FORMS.some(form => form === options.to);
        if (!isStateGraph && command.getOptionValueSource('reduction') === 'cli') {
            throw new CallError(
                'call/option',
                `option '--reduction' is for state graphs, not for '--to ${options.to}'`,
            );
        }
        receive({
            ...toCommonOptions(options),
            command: 'export',
            file,
            form: options.to,
            isReduced: options.reduction === 'unique',
            ...(options.output !== undefined && { outputFile: options.output }),
        });
    });
}

function formatCommand(receive: Receiver): Command {
    return withOutputOptions(
        new Command('format')
            .description('format models in place, in the one style there is')
            .argument('<FILE...>', 'models, or - to format standard input to standard output')
            .option('--check', 'change nothing; exit with 1 if a file is not formatted'),
    ).action((files: string[], options: RawOutputOptions & { check?: true }) => {
        receive({
            ...toCommonOptions({ ...options, param: new Map() }),
            command: 'format',
            files,
            isCheck: options.check === true,
        });
    });
}

function languageServerCommand(receive: Receiver): Command {
    return new Command('lsp')
        .description('run the language server, for editors other than VS Code')
        .requiredOption('--stdio', 'speak the language server protocol on standard input and output')
        .action(() => {
            receive({ command: 'lsp' });
        });
}

interface RawOptions extends RawOutputOptions {
    /** Where none is given; a default that commander knows is printed with the help. */
    readonly param?: ReadonlyMap<string, string>;
}

interface RawOutputOptions {
    readonly json?: boolean;
    readonly quiet?: boolean;
    readonly color: ColorChoice;
}

function withCommonOptions(command: Command): Command {
    return withOutputOptions(command.option('--param <NAME=VALUE>', 'set a parameter; may be repeated', addParameter));
}

function withOutputOptions(command: Command): Command {
    return command
        .option('--json', 'print a single JSON document')
        .option('--quiet', 'print only a one-line result, without progress')
        .addOption(
            new Option('--color <when>', 'when to color the output')
                .choices(['auto', 'always', 'never'])
                .default('auto'),
        );
}

function toCommonOptions(options: RawOptions): CommonOptions {
    const { param = new Map<string, string>(), json = false, quiet = false, color } = options;
    return { parameters: param, json, quiet, color };
}
