import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sendMailToken } from '../../src/shared/identity/accounts/accounts.jobs.ts'
import { inTransaction } from '../../src/shared/platform/db/transaction.ts'
import type { TestApp } from '../support/app.ts'
import { settings } from './settings.ts'

/** One enqueued mail: its receiver, and since when it is due. */
export interface EnqueuedMail {
  to: string
  at: number
}

/**
 * Enqueues mails one after another until the fault is over and there are as many as the settings say; each is one
 * committed transaction, as a request would be. A commit that fails is no mail.
 */
export async function enqueueMails(api: TestApp, enqueued: EnqueuedMail[], fault: Promise<unknown>): Promise<void> {
  let over = false
  void fault.finally(() => {
    over = true
  })
  while (!over || enqueued.length < settings.mails) {
    void enqueueMail(api).then(
      (to) => enqueued.push({ to, at: performance.now() }),
      () => {},
    )
    await pause(1_000 / settings.mailsASecond)
  }
}

/** Writes an account, a mail token and the job that mails it, and hands the job over. Returns the address. */
export async function enqueueMail(
  api: Pick<TestApp, 'core'>,
  options: { handOver: boolean } = { handOver: true },
): Promise<string> {
  const { database, clock, relay } = api.core
  const address = `${randomUUID()}@drill.example`
  const { enqueued } = await inTransaction(database, clock, async (tx) => {
    const account = await tx.db
      .insertInto('account')
      .values({ name: 'Drill', email: address, password_hash: '', tokens_valid_from: tx.now })
      .returning('id')
      .executeTakeFirstOrThrow()
    const token = await tx.db
      .insertInto('mail_token')
      .values({
        account_id: account.id,
        purpose: 'verify_email',
        seed: randomUUID(),
        token_hash: randomUUID(),
        expires_at: new Date(tx.now.getTime() + 86_400_000),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    tx.enqueue(sendMailToken, { mailTokenId: token.id })
  })
  if (options.handOver) relay.publish(enqueued)
  return address
}
