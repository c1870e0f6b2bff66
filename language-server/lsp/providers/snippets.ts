/** Snippets for the parts of a model. */

export interface Snippet {
    readonly label: string;
    /** In the snippet syntax of LSP. */
    readonly text: string;
}

/** By the grammar rule and the keyword that begins the part. */
export const SNIPPETS: ReadonlyMap<string, readonly Snippet[]> = new Map([
    [
        'ModelHeader model',
        [
            {
                label: 'model',
                text:
                    'model ${1:Name}\n\nparam ${2:N}: 2 .. 16 = 3\ntype ${3:Proc} = 0 .. ${2:N} - 1\n\n' +
                    'var ${4:turn}: ${3:Proc} = any\n\n' +
                    'process ${5:P}[i: ${3:Proc}] {\n\tloop {\n\t\twhen ${4:turn} == i { ${0:skip} }\n\t}\n}\n',
            },
        ],
    ],
    ['Import import', [{ label: 'import', text: 'import "${1:file}.orbit"' }]],
    [
        'Parameter param',
        [
            { label: 'param', text: 'param ${1:N}: ${2:2} .. ${3:64} = ${4:3}' },
            { label: 'param array', text: 'param ${1:sizes}: ${2:0} .. ${3:8}[*] = [${4:3, 2}]' },
        ],
    ],
    [
        'Constant const',
        [
            { label: 'const', text: 'const ${1:name} = ${0:value}' },
            { label: 'const table', text: 'const ${1:table}: ${2:0 .. 9}[${3:Type}] = [${4:i} in ${3:Type}: ${0:i}]' },
        ],
    ],
    ['Enumeration enum', [{ label: 'enum', text: 'enum ${1:Name} = { ${2:first}, ${3:second} }' }]],
    ['TypeDeclaration type', [{ label: 'type', text: 'type ${1:Name} = ${2:0} .. ${3:N - 1}' }]],
    [
        'RecordDeclaration record',
        [
            { label: 'record', text: 'record ${1:Name} = { ${2:field}: ${3:bool} }' },
            { label: 'record where', text: 'record ${1:Name} = { ${2:field}: ${3:Type} where ${0:condition} }' },
        ],
    ],
    [
        'Variable var',
        [
            { label: 'var', text: 'var ${1:name}: ${2:bool} = ${3:false}' },
            { label: 'var any', text: 'var ${1:name}: ${2:bool}[${3:Type}] = any' },
        ],
    ],
    ['InitialCondition init', [{ label: 'init', text: 'init ${0:condition}' }]],
    [
        'ChannelDeclaration channel',
        [
            { label: 'channel', text: 'channel ${1:name}: ${2:1} of ${3:Type}' },
            { label: 'channel array', text: 'channel ${1:name}[${2:Type}]: ${3:1} of ${4:Type}' },
            { label: 'channel rendezvous', text: 'channel ${1:name}: 0 of ${2:Type}' },
        ],
    ],
    ['EventDeclaration event', [{ label: 'event', text: 'event ${1:name}[${2:Type}]' }]],
    [
        'FunctionDeclaration function',
        [
            { label: 'function', text: 'function ${1:name}(${2:x}: ${3:Type}): ${4:bool} = ${0:true}' },
            {
                label: 'function body',
                text: 'function ${1:name}(${2:x}: ${3:Type}): ${4:bool} {\n\t$5\n\treturn ${0:true}\n}',
            },
        ],
    ],
    ['Invariant invariant', [{ label: 'invariant', text: 'invariant ${1:name} = ${0:true}' }]],
    [
        'Process process',
        [
            { label: 'process family', text: 'process ${1:P}[${2:i}: ${3:Type}] {\n\tloop {\n\t\t$0\n\t}\n}' },
            { label: 'process', text: 'process ${1:P} {\n\tloop {\n\t\t$0\n\t}\n}' },
        ],
    ],
    ['DeadlockAllowance allow', [{ label: 'allow deadlock', text: 'allow deadlock' }]],
    ['DeadlockFreedom deadlock', [{ label: 'deadlock free', text: 'deadlock free' }]],
    [
        'SymmetryAssertion assert',
        [
            { label: 'assert symmetric', text: 'assert symmetric ${0:P}' },
            { label: 'assert symmetric values', text: 'assert symmetric values of ${0:Type}' },
        ],
    ],
    ['Loop loop', [{ label: 'loop', text: 'loop {\n\t$0\n}' }]],
    ['While while', [{ label: 'while', text: 'while ${1:condition} {\n\t$0\n}' }]],
    ['WhileStatement while', [{ label: 'while', text: 'while ${1:condition} { $0 }' }]],
    ['For for', [{ label: 'for', text: 'for ${1:i} in ${2:Type} {\n\t$0\n}' }]],
    ['ForStatement for', [{ label: 'for', text: 'for ${1:i} in ${2:Type} { $0 }' }]],
    [
        'IfControl if',
        [
            { label: 'if', text: 'if ${1:condition} {\n\t$0\n}' },
            { label: 'if else', text: 'if ${1:condition} {\n\t$2\n} else {\n\t$0\n}' },
        ],
    ],
    ['IfStatement if', [{ label: 'if', text: 'if ${1:condition} { $0 }' }]],
    [
        'Choose choose',
        [
            { label: 'choose', text: 'choose {\n\t$1\n} or {\n\t$0\n}' },
            { label: 'choose value', text: 'choose ${1:x} in ${2:Type} {\n\t$0\n}' },
        ],
    ],
    [
        'Step when',
        [
            { label: 'step', text: '${1:label}: when ${2:guard} { ${0:skip} }' },
            { label: 'when', text: 'when ${1:guard} { ${0:skip} }' },
        ],
    ],
    ['Step assert', [{ label: 'assert', text: 'assert ${0:condition}' }]],
    ['Assertion assert', [{ label: 'assert', text: 'assert ${0:condition}' }]],
    ['Let let', [{ label: 'let', text: 'let ${1:name} = ${0:value}' }]],
    ['Operand if', [{ label: 'if then else', text: 'if ${1:condition} then ${2:value} else ${0:value}' }]],
    ['Operand forall', [{ label: 'forall', text: 'forall ${1:i} in ${2:Type}: ${0:condition}' }]],
    ['Operand exists', [{ label: 'exists', text: 'exists ${1:i} in ${2:Type}: ${0:condition}' }]],
    ['Primary count', [{ label: 'count', text: 'count(${1:i} in ${2:Type}: ${0:condition})' }]],
    ['Primary sum', [{ label: 'sum', text: 'sum(${1:i} in ${2:Type}: ${0:value})' }]],
    ['Primary min', [{ label: 'min over', text: 'min(${1:i} in ${2:Type}: ${0:value})' }]],
    ['Primary max', [{ label: 'max over', text: 'max(${1:i} in ${2:Type}: ${0:value})' }]],
]);
