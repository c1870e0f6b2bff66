/** The completion of fish: a line for each option of each command. */
import {
    type CommandCompletion,
    type OptionCompletion,
    PARAMETERS_OF_MODEL,
    PROPERTIES_OF_MODEL,
    completions,
} from './completions.js';

export function fishCompletion(): string {
    const commands = completions();
    return `# Completion of orbit for fish. In ~/.config/fish/config.fish: orbit completion fish | source
function __orbit_model
    for word in (commandline -opc) (commandline -ct)
        if string match -q -- '*.orbit' $word; and test -f $word
            sed -n $argv[1] $word
            return
        end
    end
end
complete -c orbit -f
${commands.map(({ name, meaning }) => `complete -c orbit -n __fish_use_subcommand -a ${name} -d ${quoted(meaning)}`).join('\n')}
complete -c orbit -n __fish_use_subcommand -l help -d 'show this help'
complete -c orbit -n __fish_use_subcommand -l version -d 'print the version'
${commands.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ name, options, argument }: CommandCompletion): string[] {
    const condition = `complete -c orbit -n '__fish_seen_subcommand_from ${name}'`;
    const words =
        typeof argument === 'string'
            ? `-k -a '(__fish_complete_suffix ${argument})'`
            : `-a ${quoted(argument.join(' '))}`;
    return [
        ...(argument.length === 0 ? [] : [`${condition} ${words}`]),
        ...options.map(
            option => `${condition} -l ${option.name.slice(2)}${valueOf(option)} -d ${quoted(option.meaning)}`,
        ),
    ];
}

function valueOf({ value }: OptionCompletion): string {
    switch (value) {
        case undefined:
            return '';
        case 'files':
            return ' -r -F';
        case 'parameters':
            return ` -x -a ${quoted(`(__orbit_model ${quoted(PARAMETERS_OF_MODEL)})`)}`;
        case 'properties':
            return ` -x -a ${quoted(`deadlock (__orbit_model ${quoted(PROPERTIES_OF_MODEL)})`)}`;
        default:
            return ` -x${value.length === 0 ? '' : ` -a ${quoted(value.join(' '))}`}`;
    }
}

/** In single quotes fish knows two characters that stand for something. */
function quoted(text: string): string {
    return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
