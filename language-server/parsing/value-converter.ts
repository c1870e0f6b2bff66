/** Values of terminals. The name of a file is the text between the quotation marks; a backslash escapes nothing. */
import { DefaultValueConverter, type CstNode, type GrammarAST, type ValueType } from 'langium';

export class OrbitValueConverter extends DefaultValueConverter {
    protected override runConverter(rule: GrammarAST.AbstractRule, input: string, cst: CstNode): ValueType {
        return rule.name === 'STRING' ? input.slice(1, -1) : super.runConverter(rule, input, cst);
    }
}
