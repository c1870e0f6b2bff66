/** The README as the page of the extension, which has no other documents: their links stand as text, pictures stay. */
export function withoutRelativeLinks(readme) {
    return readme.replace(/(?<!!)\[([^\]]*)\]\((?!https?:|#)[^)]*\)/g, '$1');
}
