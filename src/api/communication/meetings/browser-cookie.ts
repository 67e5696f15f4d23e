/**
 * The cookie that binds a connection to the browser that began it. Over https its name has the prefix `__Host-`, so no
 * other host and no page over http can put one there; over http, as on localhost, browsers take no such cookie.
 */
export interface BrowserCookie {
  /** The header that sets it, for as long as a connection may take. */
  set(secret: string): string
  /** The header that takes it away. */
  clear(): string
  /** What the browser sent; empty when it sent none. */
  read(header: string | undefined): string
}

/** The cookie of one provider, so that two providers can be connected side by side. */
export function browserCookie(publicUrl: string, provider: string, seconds: number): BrowserCookie {
  const secure = new URL(publicUrl).protocol === 'https:'
  const name = `${secure ? '__Host-' : ''}flightline-connect-${provider}`
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return {
    set: (secret) => `${name}=${secret}; Max-Age=${seconds}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
    read: (header = '') =>
      header
        .split(';')
        .map((pair) => pair.trim())
        .find((pair) => pair.startsWith(`${name}=`))
        ?.slice(name.length + 1) ?? '',
  }
}
