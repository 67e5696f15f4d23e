import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onStop } from '../../src/shared/composition/process.ts'
import { bringSchoolIn } from '../demo/import-school/bring-in.ts'
import { UnexpectedAnswer } from '../demo/main-job/client.ts'
import { tellStory } from '../demo/main-job/story.ts'
import { freePort } from '../servers/ports.ts'
import { startLocalStack } from './local-stack.ts'
import type { Environment } from './service-process.ts'
import { ShutdownSequence } from './shutdown-sequence.ts'

const print = (text: string) => process.stdout.write(text)

/**
 * `flightline demo`: runs the demo with the real API and workers, prints each step, and exits the process. The demo
 * goes from sign-up to a paid invoice or, with `school`, imports a school from files.
 */
export async function runDemo({ school = false }: { school?: boolean }): Promise<void> {
  const story = school ? bringSchoolIn : tellStory
  const parts = new ShutdownSequence()
  const dataDir = await mkdtemp(join(tmpdir(), 'flightline-demo-'))
  const cleanUp = async () => {
    await parts.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  onStop(async () => {
    await cleanUp()
    // An interrupted demo exits with an error code.
    process.exit(130)
  })
  try {
    // When root runs the demo, PostgreSQL runs as another user, who needs access.
    await chmod(dataDir, 0o755)
    print('\n     Starting PostgreSQL, the API, the workers, a mail catcher and a payment simulator …\n\n')
    const stack = await startLocalStack(await environment(dataDir), { durable: false }, parts)
    const death = stack.exited.then((line) => {
      throw new UnexpectedAnswer(line)
    })
    await Promise.race([death, story(stack.apiUrl, stack.inboxUrl ?? '', print)])
    await cleanUp()
    print('done\n')
    process.exit(0)
  } catch (error) {
    // After a stop, requests fail. Their errors are not reported; the stop ends the process.
    if (parts.stopping) await new Promise(() => undefined)
    await cleanUp()
    process.stderr.write(
      `\nThe demo stopped. ${error instanceof UnexpectedAnswer ? error.message : (error as Error).stack}\n`,
    )
    process.exit(1)
  }
}

/** Returns the environment of the demo: its own data directory and free ports. Other variables of the caller are not used. */
async function environment(dataDirectory: string): Promise<Environment> {
  const ports = ['PORT', 'MAIL_WEB_PORT', 'MAIL_SMTP_PORT', 'STRIPE_SIMULATOR_PORT', 'WEBHOOK_RECEIVER_PORT']
  const entries = await Promise.all(ports.map(async (name) => [name, String(await freePort())] as const))
  const { PATH, HOME, TMPDIR, NODE_OPTIONS } = process.env
  return {
    PATH,
    HOME,
    TMPDIR,
    NODE_OPTIONS,
    DATA_DIR: dataDirectory,
    DEMO_SCHOOL: 'off',
    ...Object.fromEntries(entries),
  }
}
