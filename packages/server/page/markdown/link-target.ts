const followed = new Set(['http:', 'https:', 'mailto:']);

/** Where a link in an answer may lead; undefined for anything that is not another page or a mail. */
export function linkTarget(href: string): string | undefined {
  try {
    // Without a base: what is relative would lead into this page's own server.
    const url = new URL(href);
    return followed.has(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}
