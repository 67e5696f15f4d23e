/**
 * The cookie that binds a connection to the browser that started it. Over https its name has the prefix `__Host-`,
 * which prevents other hosts and http pages from setting it. Over http, as on localhost, browsers reject that prefix.
 */
export interface BrowserCookie {
  /** Returns the header that sets the cookie. The cookie lives as long as connecting may take. */
  set(secret: string): string
  /** Returns the header that deletes the cookie. */
  clear(): string
  /** Returns the value of the cookie; empty when there is none. */
  read(header: string | undefined): string
}

/** Returns the cookie of one provider. Each provider has its own, so that two can be connected at the same time. */
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
