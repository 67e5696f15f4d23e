import { totalmem } from 'node:os'

const MB = 1024 ** 2

/** The bytes of memory that this machine or container has. */
const memory = () => Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem())

/**
 * Returns the arguments and the environment with which Node.js holds little memory. What the environment or `given`
 * says already stays as it is.
 *
 * - The young generation has 8 MB, and 4 MB where a process has 512 MB or less. The 32 MB that Node.js takes make a
 *   process larger by some 70 MB, and nothing faster.
 * - The old generation has at most half of the process's share of the memory. Node.js itself gives each process half
 *   of the whole, so several in one container could use it up.
 * - The allocator keeps two arenas, not eight for each core.
 *
 * @param {{ processes?: number, bytes?: number, env?: Record<string, string | undefined>, given?: readonly string[] }} options
 * `processes`: how many share the memory; `bytes`: all of it
 */
export function nodeSettings({ processes = 1, bytes = memory(), env = process.env, given = [] } = {}) {
  const share = bytes / processes / MB
  const said = [env.NODE_OPTIONS ?? '', ...given].join(' ').replaceAll('_', '-')
  const flags = [
    ['--max-semi-space-size', share <= 512 ? 4 : 8],
    ['--max-old-space-size', Math.min(4096, Math.max(64, Math.floor(share / 2)))],
  ]
  return {
    flags: flags.filter(([name]) => !said.includes(name)).map(([name, value]) => `${name}=${value}`),
    env: { MALLOC_ARENA_MAX: env.MALLOC_ARENA_MAX || '2' },
  }
}
