import { ProcessorRefused } from '../../shared/adapters/processor/processor-errors.ts'
import { findSchoolAccount, noteAccount } from '../../shared/invoices/connect-account.ts'
import type { connectAccount } from '../../shared/invoices/invoices.jobs.ts'
import type { JobProcessor, JobTools } from '../../shared/jobs/job-tools.ts'
import { Permanent } from '../../shared/kernel/permanent.ts'

/** Opens a school's account at the processor, once, and notes whether it can take money yet. */
export const connectSchoolAccount: JobProcessor<typeof connectAccount> = async ({ organizationId }, tools) => {
  const school = await findSchoolAccount(tools.database.db, organizationId)
  if (!school) return
  try {
    const account = school.account ?? (await open(tools, school))
    const ready = await tools.processor.accountReady(account)
    if (account !== school.account || ready !== school.ready) {
      await tools.transaction((tx) => noteAccount(tx, organizationId, { account, ready }))
    }
  } catch (error) {
    if (error instanceof ProcessorRefused) throw new Permanent(`the processor opens no account: ${error.code}`)
    throw error
  }
}

async function open({ processor, config }: JobTools, { key, email }: { key: string; email: string }): Promise<string> {
  const { PUBLIC_URL } = config
  const opened = await processor.connectAccount({
    key,
    account: null,
    email,
    returnUrl: PUBLIC_URL,
    refreshUrl: PUBLIC_URL,
  })
  return opened.account
}
