/** The port and host on which a process tries to listen, and the variable that sets the port. */
export interface Listening {
  port: number
  host: string
  variable: string
}

/**
 * Returns the error of a failed `listen` as one line that says what to change: the port is taken, it needs a
 * permission, or the address is not one of this machine. Returns other errors unchanged.
 */
export function whyNotListening(error: unknown, { port, host, variable }: Listening): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const hostVariable = variable.replace(/PORT$/, 'HOST')
  const lines: Record<string, string> = {
    EADDRINUSE: `port ${port} is already taken: set ${variable} to a free one`,
    EACCES: noPermission(port, variable),
    EADDRNOTAVAIL: `${host} is no address of this machine: set ${hostVariable}`,
  }
  const line = typeof code === 'string' ? lines[code] : undefined
  return line ? new Error(line, { cause: error }) : error
}

/** Returns the line for a port on which this user may not listen. */
export function noPermission(port: number, variable: string): string {
  return `no permission to listen on port ${port}: set ${variable} to one above 1023`
}
