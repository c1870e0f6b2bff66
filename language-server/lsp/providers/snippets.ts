/** Snippets for the parts of a model. */

export interface Snippet {
    readonly label: string;
    /** In the snippet syntax of LSP. */
    readonly text: string;
}

/** The grammar rule and the keyword that begins the part, then label and text. */
const ROWS: readonly (readonly [string, string, string])[] = [
    [
        'ModelHeader model',
        'model',
        'model ${1:Name}\n\n' +
            'param ${2:N}: 2 .. 16 = 3\ntype ${3:Proc} = 0 .. ${2:N} - 1\n\n' +
            'var ${4:turn}: ${3:Proc} = any\n\n' +
            'process ${5:P}[i: ${3:Proc}] {\n\tloop {\n\t\twhen ${4:turn} == i { ${0:skip} }\n\t}\n}\n',
    ],
    ['Import import', 'import', 'import "${1:file}.orbit"'],
    ['Parameter param', 'param', 'param ${1:N}: ${2:2} .. ${3:64} = ${4:3}'],
    ['Parameter param', 'param array', 'param ${1:sizes}: ${2:0} .. ${3:8}[*] = [${4:3, 2}]'],
    ['Constant const', 'const', 'const ${1:name} = ${0:value}'],
    ['Constant const', 'const table', 'const ${1:table}: ${2:0 .. 9}[${3:Type}] = [${4:i} in ${3:Type}: ${0:i}]'],
    ['Enumeration enum', 'enum', 'enum ${1:Name} = { ${2:first}, ${3:second} }'],
    ['TypeDeclaration type', 'type', 'type ${1:Name} = ${2:0} .. ${3:N - 1}'],
    ['RecordDeclaration record', 'record', 'record ${1:Name} = { ${2:field}: ${3:bool} }'],
    ['RecordDeclaration record', 'record where', 'record ${1:Name} = { ${2:field}: ${3:Type} where ${0:condition} }'],
    ['Variable var', 'var', 'var ${1:name}: ${2:bool} = ${3:false}'],
    ['Variable var', 'var any', 'var ${1:name}: ${2:bool}[${3:Type}] = any'],
    ['InitialCondition init', 'init', 'init ${0:condition}'],
    ['Constraint constraint', 'constraint', 'constraint ${0:condition}'],
    ['InitialBody init', 'init body', 'init ${1:start}[${2:i}: ${3:Type}] {\n\t$0\n}'],
    ['ChannelDeclaration channel', 'channel', 'channel ${1:name}: ${2:1} of ${3:Type}'],
    ['ChannelDeclaration channel', 'channel array', 'channel ${1:name}[${2:Type}]: ${3:1} of ${4:Type}'],
    ['ChannelDeclaration channel', 'channel rendezvous', 'channel ${1:name}: 0 of ${2:Type}'],
    ['EventDeclaration event', 'event', 'event ${1:name}[${2:Type}]'],
    ['FunctionDeclaration function', 'function', 'function ${1:name}(${2:x}: ${3:Type}): ${4:bool} = ${0:true}'],
    [
        'FunctionDeclaration function',
        'function body',
        'function ${1:name}(${2:x}: ${3:Type}): ${4:bool} {\n\t$5\n\treturn ${0:true}\n}',
    ],
    ['Procedure procedure', 'procedure', 'procedure ${1:name}(${2:x}: ${3:Type}) {\n\t$0\n}'],
    ['Invariant invariant', 'invariant', 'invariant ${1:name} = ${0:true}'],
    ['Property property', 'property', 'property ${1:name} = ${0:always true}'],
    ['Property property', 'property leads to', 'property ${1:name} = ${2:p} leads to ${0:q}'],
    ['StatedRun run', 'run', 'run ${1:name} = ${0:condition}'],
    ['StatedRun run', 'run then', 'run ${1:name} = ${2:first} then ${0:later}'],
    ['Expectation expect', 'expect violated', 'expect violated ${0:name}'],
    ['Expectation expect', 'expect every step', 'expect every step'],
    ['Assumption assume', 'assume', 'assume ${1:name} = infinitely often ${0:true}'],
    ['Process process', 'process family', 'process ${1:P}[${2:i}: ${3:Type}] {\n\tloop {\n\t\t$0\n\t}\n}'],
    ['Process process', 'process', 'process ${1:P} {\n\tloop {\n\t\t$0\n\t}\n}'],
    ['Process process', 'process template', 'process ${1:P}(${2:x}: ${3:Type}) {\n\t$0\n}'],
    ['DeadlockAllowance allow', 'allow deadlock', 'allow deadlock'],
    ['DeadlockFreedom deadlock', 'deadlock free', 'deadlock free'],
    ['SymmetryAssertion assert', 'assert symmetric', 'assert symmetric ${0:P}'],
    ['SymmetryAssertion assert', 'assert symmetric values', 'assert symmetric values of ${0:Type}'],
    ['Loop loop', 'loop', 'loop {\n\t$0\n}'],
    ['While while', 'while', 'while ${1:condition} {\n\t$0\n}'],
    ['WhileStatement while', 'while', 'while ${1:condition} { $0 }'],
    ['For for', 'for', 'for ${1:i} in ${2:Type} {\n\t$0\n}'],
    ['ForStatement for', 'for', 'for ${1:i} in ${2:Type} { $0 }'],
    ['IfControl if', 'if', 'if ${1:condition} {\n\t$0\n}'],
    ['IfControl if', 'if else', 'if ${1:condition} {\n\t$2\n} else {\n\t$0\n}'],
    ['IfStatement if', 'if', 'if ${1:condition} { $0 }'],
    ['Choose choose', 'choose', 'choose {\n\t$1\n} or {\n\t$0\n}'],
    ['Choose choose', 'choose value', 'choose ${1:x} in ${2:Type} {\n\t$0\n}'],
    ['Step when', 'step', '${1:label}: when ${2:guard} { ${0:skip} }'],
    ['Step when', 'join', '${1:join}: when !alive(${0:w})'],
    ['Spawn spawn', 'spawn', 'spawn ${1:P}($0)'],
    ['Step when', 'when', 'when ${1:guard} { ${0:skip} }'],
    ['Step assert', 'assert', 'assert ${0:condition}'],
    ['Assertion assert', 'assert', 'assert ${0:condition}'],
    ['Let let', 'let', 'let ${1:name} = ${0:value}'],
    ['Operand if', 'if then else', 'if ${1:condition} then ${2:value} else ${0:value}'],
    ['Operand forall', 'forall', 'forall ${1:i} in ${2:Type}: ${0:condition}'],
    ['Operand exists', 'exists', 'exists ${1:i} in ${2:Type}: ${0:condition}'],
    ['Primary count', 'count', 'count(${1:i} in ${2:Type}: ${0:condition})'],
    ['Primary sum', 'sum', 'sum(${1:i} in ${2:Type}: ${0:value})'],
    ['Primary min', 'min over', 'min(${1:i} in ${2:Type}: ${0:value})'],
    ['Primary max', 'max over', 'max(${1:i} in ${2:Type}: ${0:value})'],
    ['Primary the', 'the', 'the(${1:i} in ${2:Type} where ${3:condition}: ${0:value})'],
];

/** By the grammar rule and the keyword that begins the part. */
export const SNIPPETS: ReadonlyMap<string, readonly Snippet[]> = new Map(
    ROWS.map(([place]) => [
        place,
        ROWS.filter(([other]) => other === place).map(([, label, text]) => ({ label, text })),
    ]),
);
