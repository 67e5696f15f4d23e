import { execFile } from 'node:child_process'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')
export const bin = join(root, 'bin/flightline.mjs')

/** The output of a command and its exit code. */
export interface Ended {
  code: number
  out: string
  err: string
}

interface Surroundings {
  env?: Record<string, string>
  cwd?: string
  /** The arguments of Node.js, in place of the command line's file. */
  node?: string[]
  /** The text of standard input. */
  input?: string
}

/** Runs a command until it exits, with these variables and few others. */
export function flightline(
  args: string[],
  { env = {}, cwd = root, node = [bin], input = '' }: Surroundings = {},
): Promise<Ended> {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
  return new Promise((resolve) => {
    const options = { cwd, env: { PATH, HOME, NODE_COMPILE_CACHE, ...env } }
    const child = execFile(process.execPath, [...node, ...args], options, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    )
    child.stdin?.end(input)
  })
}
