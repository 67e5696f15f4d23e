/** Masks the query of an address, where many receivers expect a token. */
export function maskedUrl(url: string): string {
  return url.replace(/\?.*$/, '?***')
}
