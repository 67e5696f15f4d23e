import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onStop } from '../../shared/composition/process.ts'
import { startLocalStack } from '../start/local-stack.ts'
import { freePort } from '../start/ports.ts'
import type { Environment } from '../start/service-process.ts'
import { ShutdownSequence } from '../start/shutdown-sequence.ts'
import { bill } from './main-job/billing.ts'
import { createDemoReporter, UnexpectedAnswer } from './main-job/client.ts'
import { equip, fly } from './main-job/flight.ts'
import { foundSchool, invite } from './main-job/people.ts'
import { invoiceText } from './main-job/report-lines.ts'

const print = (text: string) => process.stdout.write(text)

/** `flightline demo`: goes from sign-up to a paid invoice with the real API and workers, and prints each step. */
export async function runDemo(): Promise<void> {
  const parts = new ShutdownSequence()
  const dataDir = await mkdtemp(join(tmpdir(), 'flightline-demo-'))
  const cleanUp = async () => {
    await parts.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  onStop(async () => {
    await cleanUp()
    // An interrupted demo is not a success.
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
    await Promise.race([death, tellStory(stack.apiUrl, stack.inboxUrl ?? '')])
    await cleanUp()
    print('done\n')
    process.exit(0)
  } catch (error) {
    // A stop interrupts requests; their errors are not reported, and the stop itself ends the process.
    if (parts.stopping) await new Promise(() => undefined)
    await cleanUp()
    process.stderr.write(
      `\nThe demo stopped. ${error instanceof UnexpectedAnswer ? error.message : (error as Error).stack}\n`,
    )
    process.exit(1)
  }
}

async function tellStory(apiUrl: string, inboxUrl: string): Promise<void> {
  const reporter = createDemoReporter(apiUrl, print)
  const owner = await foundSchool(reporter, inboxUrl)
  const crew = {
    owner,
    instructor: await invite(reporter, inboxUrl, owner, {
      name: 'Ivan Petrov',
      email: 'ivan@bayflight.example',
      role: 'instructor',
    }),
    student: await invite(reporter, inboxUrl, owner, {
      name: 'Sam Okafor',
      email: 'sam@bayflight.example',
      role: 'student',
    }),
  }
  const planeId = await equip(reporter, crew)
  const reservationId = await fly(reporter, crew, planeId)
  print(invoiceText(await bill(reporter, crew, reservationId)))
}

/** Returns the demo's environment: its own data and free ports, none of the caller's settings. */
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
