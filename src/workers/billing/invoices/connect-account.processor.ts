import { storeAccount } from '../../../shared/billing/invoices/connect-account.ts'
import type { connectAccount } from '../../../shared/billing/invoices/invoices.jobs.ts'
import { findSchoolAccount } from '../../../shared/billing/invoices/school-account.queries.ts'
import { type CallResult, done, never } from '../../../shared/platform/adapters/call-result.ts'
import { GatewayRefused } from '../../../shared/platform/adapters/payments/gateway-errors.ts'
import { deliver } from '../../../shared/platform/deliveries/deliver.ts'
import type { JobProcessor, JobTools } from '../../../shared/platform/jobs/job-tools.ts'
import { Permanent } from '../../../shared/platform/kernel/errors.ts'

/** Creates a school's account at the payment gateway, once, and stores whether it can receive payments. */
export const connectAccountProcessor: JobProcessor<typeof connectAccount> = async ({ organizationId }, tools, run) => {
  const { db } = tools.database
  const school = await findSchoolAccount(db, organizationId)
  if (!school) return
  if (school.account === null) {
    await deliver(tools, run, { kind: 'payments.connect', call: () => open(tools, organizationId, school) })
  }
  const opened = await findSchoolAccount(db, organizationId)
  if (!opened?.account) return
  const { account } = opened
  const ready = await accountReady(tools, account)
  if (ready !== opened.ready) await tools.transaction((tx) => storeAccount(tx, organizationId, { account, ready }))
}

async function open(
  { gateway, config }: JobTools,
  organizationId: number,
  { key, email }: { key: string; email: string },
): Promise<CallResult> {
  const { PUBLIC_URL } = config
  try {
    const { account } = await gateway.connectAccount({
      key,
      account: null,
      email,
      returnUrl: PUBLIC_URL,
      refreshUrl: PUBLIC_URL,
    })
    return done((tx) => storeAccount(tx, organizationId, { account, ready: false }))
  } catch (error) {
    if (error instanceof GatewayRefused) return never(error.code)
    throw error
  }
}

async function accountReady({ gateway }: JobTools, account: string): Promise<boolean> {
  try {
    return await gateway.accountReady(account)
  } catch (error) {
    if (error instanceof GatewayRefused) throw new Permanent(`the processor refused the account: ${error.code}`)
    throw error
  }
}
