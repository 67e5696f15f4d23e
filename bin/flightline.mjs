#!/usr/bin/env node
// The entry of the command line. It starts on any Node.js, and runs src/cli on one that is new enough.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The oldest Node.js that runs TypeScript without a build; the same as `engines` in package.json. */
const OLDEST = [22, 18]
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
/** The path of the Node.js that `npm ci` installs beside the service. */
const own = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')

const [major, minor] = process.versions.node.split('.').map(Number)
if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) run()
else if (existsSync(own) && own !== process.execPath) runOn(own)
else {
  process.stderr.write(
    `flightline: this is Node.js ${process.versions.node}; it takes ${OLDEST.join('.')} or later. ` +
      'npm ci installs one beside the service, without --omit=dev.\n',
  )
  process.exitCode = 1
}

/** Runs the command. A process of the service is replaced by one with its memory settings, under the same process id. */
async function run() {
  const processes = { api: 1, worker: 1, start: 3 }[process.argv[2]]
  // A parent with an IPC channel has given the settings itself; the channel would be lost.
  if (processes && process.execve && !process.channel) {
    const { nodeSettings } = await import('./node-settings.mjs')
    const { flags, env } = nodeSettings({ processes, given: process.execArgv })
    const args = [process.execPath, ...process.execArgv, ...flags, ...process.argv.slice(1)]
    if (flags.length > 0) process.execve(process.execPath, args, { ...process.env, ...env })
  }
  await import('../src/cli/main.ts')
}

/** Runs the same command on another Node.js, forwards signals, and exits with its code. */
function runOn(node) {
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code === null ? 128 + (signal === 'SIGINT' ? 2 : 15) : code))
}
