/** The completion of zsh, in the terms of its function `_arguments`. */
import {
    type CommandCompletion,
    type OptionCompletion,
    PARAMETERS_OF_MODEL,
    PROPERTIES_OF_MODEL,
    completions,
} from './completions.js';

export function zshCompletion(): string {
    const commands = completions();
    return `#compdef orbit
# Completion of orbit for zsh. In ~/.zshrc, after compinit: eval "$(orbit completion zsh)"
_orbit() {
    local curcontext="$curcontext" state line
    local -a commands
    commands=(
${commands.map(({ name, meaning }) => `        ${quoted(`${name}:${meaning.replaceAll(':', '\\:')}`)}`).join('\n')}
    )
    _arguments -C '--help[show this help]' '--version[print the version]' '1: :->command' '*:: :->rest'
    case $state in
        command) _describe command commands ;;
        rest)
            case $words[1] in
${commands.map(toCase).join('\n')}
            esac ;;
    esac
}
_orbit_model() {
    local word
    for word in $words; do
        if [[ $word == *.orbit && -f $word ]]; then sed -n "$1" $word; return; fi
    done
}
_orbit_parameters() {
    local -a names
    names=(\${(f)"$(_orbit_model ${quoted(PARAMETERS_OF_MODEL)})"})
    compadd -S '' -- $names
}
_orbit_properties() {
    local -a names
    names=(deadlock \${(f)"$(_orbit_model ${quoted(PROPERTIES_OF_MODEL)})"})
    compadd -- $names
}
if [[ $funcstack[1] == _orbit ]]; then _orbit "$@"; else compdef _orbit orbit; fi
`;
}

function toCase({ name, options, argument }: CommandCompletion): string {
    const rest =
        typeof argument === 'string'
            ? `'*:model:_files -g "*${argument}"'`
            : quoted(`1:argument:(${argument.join(' ')})`);
    const specs = [...options.map(toSpec), ...(argument.length === 0 ? [] : [rest])];
    return `                ${name}) _arguments ${specs.join(' \\\n                    ')} ;;`;
}

function toSpec({ name, meaning, value }: OptionCompletion): string {
    const text = meaning.replaceAll(/[[\]:\\]/g, character => `\\${character}`);
    if (value === undefined) {
        return quoted(`${name}[${text}]`);
    }
    const repeats = name === '--param' ? '*' : '';
    return quoted(`${repeats}${name}=[${text}]:${name.slice(2)}:${actionOf(value)}`);
}

function actionOf(value: NonNullable<OptionCompletion['value']>): string {
    switch (value) {
        case 'files':
            return '_files';
        case 'parameters':
            return '_orbit_parameters';
        case 'properties':
            return '_orbit_properties';
        default:
            return value.length === 0 ? ' ' : `(${value.join(' ')})`;
    }
}

function quoted(text: string): string {
    return `'${text.replaceAll("'", `'\\''`)}'`;
}
