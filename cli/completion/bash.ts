/** The completion of bash, also of version 3 (macOS), which has no associative arrays and no `compopt`. */
import { PARAMETERS_OF_MODEL, PROPERTIES_OF_MODEL, completions } from './completions.js';

export function bashCompletion(): string {
    const commands = completions();
    const optionCases = commands.map(
        ({ name, options }) => `        ${name}) words='${options.map(each => each.name).join(' ')}' ;;`,
    );
    const valueCases = commands.flatMap(({ name, options }) =>
        options.flatMap(option =>
            option.value === undefined ? [] : [`        '${name} ${option.name}') ${actionOf(option.value)} ;;`],
        ),
    );
    const argumentCases = commands.map(({ name, argument }) =>
        typeof argument === 'string'
            ? `        ${name}) _orbit_files '!*${argument}'; return ;;`
            : `        ${name}) words='${argument.join(' ')}' ;;`,
    );
    return `# Completion of orbit for bash. In ~/.bashrc: eval "$(orbit completion bash)"
_orbit() {
    local current="\${COMP_WORDS[COMP_CWORD]}" option='' command='' model='' words='' word index
    COMPREPLY=()
    # Bash takes \`=\` for a word of its own.
    if [[ $current == '=' ]]; then
        current=''
        option="\${COMP_WORDS[COMP_CWORD-1]}"
    elif [[ \${COMP_WORDS[COMP_CWORD-1]} == '=' ]]; then
        option="\${COMP_WORDS[COMP_CWORD-2]}"
    else
        option="\${COMP_WORDS[COMP_CWORD-1]}"
    fi
    for ((index = 1; index < \${#COMP_WORDS[@]}; index++)); do
        word="\${COMP_WORDS[index]}"
        if [[ $index -lt $COMP_CWORD && -z $command && $word != -* ]]; then command="$word"; fi
        if [[ $word == *.orbit && -f $word ]]; then model="$word"; fi
    done
    if [[ -z $command ]]; then
        _orbit_words '${[...commands.map(({ name }) => name), '--help', '--version'].join(' ')}'
        return
    fi
    case "$command $option" in
${valueCases.join('\n')}
    esac
    if [[ \${COMP_WORDS[COMP_CWORD-1]} == '=' || \${COMP_WORDS[COMP_CWORD]} == '=' ]]; then
        return
    fi
    if [[ $current == -* ]]; then
        case "$command" in
${optionCases.join('\n')}
        esac
        _orbit_words "$words"
        return
    fi
    case "$command" in
${argumentCases.join('\n')}
    esac
    _orbit_words "$words"
}
_orbit_words() {
    local IFS=$' \\t\\n'
    COMPREPLY=($(compgen -W "$1" -- "$current"))
    if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2> /dev/null; fi
}
_orbit_files() {
    local IFS=$'\\n'
    COMPREPLY=($(compgen -f -X "$1" -- "$current"; compgen -d -- "$current"))
    compopt -o filenames 2> /dev/null
}
_orbit_parameters() {
    _orbit_words "$([[ -n $model ]] && sed -n '${PARAMETERS_OF_MODEL}' "$model")"
}
_orbit_properties() {
    _orbit_words "deadlock $([[ -n $model ]] && sed -n '${PROPERTIES_OF_MODEL}' "$model")"
}
complete -F _orbit orbit
`;
}

function actionOf(value: readonly string[] | 'files' | 'parameters' | 'properties'): string {
    switch (value) {
        case 'files':
            return `_orbit_files ''; return`;
        case 'parameters':
            return '_orbit_parameters; return';
        case 'properties':
            return '_orbit_properties; return';
        default:
            return value.length === 0 ? 'return' : `_orbit_words '${value.join(' ')}'; return`;
    }
}
