import { z } from 'zod'
import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { startConnecting } from '../../../shared/billing/invoices/connect-account.ts'
import { findSchoolAccount, type SchoolAccount } from '../../../shared/billing/invoices/school-account.queries.ts'
import { GatewayRefused, GatewayUnavailable } from '../../../shared/platform/adapters/payments/gateway-errors.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { PasswordAgain } from '../../http/reauthentication.ts'
import { envelope, warnings } from '../../http/schemas.ts'
import type { Services } from '../../http/services.ts'

const Link = z.url({ protocol: /^https?$/ }).max(2000)

const ConnectBody = z
  .object({
    returnUrl: Link.optional().describe(
      'The address to which the payment processor sends the admin afterwards. Default: the address of the service',
    ),
    refreshUrl: Link.optional().describe(
      'The address to which the payment processor sends the admin when the link has expired. Default: `returnUrl`',
    ),
    password: PasswordAgain,
  })
  .optional()

const Connection = z
  .object({
    accountId: z.string().nullable().describe('null while the payment processor has not answered'),
    ready: z.boolean().describe('Whether the account can receive payments. Invoices then go through it'),
    onboardingUrl: z
      .string()
      .nullable()
      .describe(
        'The payment processor’s page where the organization identifies itself; null when the account is ready, or ' +
          'when `warnings` says to call again',
      ),
  })
  .meta({ id: 'StripeConnection' })

type Links = z.output<typeof ConnectBody>

export const stripeRoutes: Routes = (on) => {
  on.post('/integrations/stripe/connect', {
    id: 'connectPaymentAccount',
    access: admins,
    tag: 'Integrations',
    summary: 'Connect the organization’s own account at the payment processor',
    description:
      'The first call creates the organization’s account at the payment processor and returns a link to the page ' +
      'where the organization identifies itself. Each later call returns a new link, or says that the account is ' +
      'ready. Only this operation sets `settings.stripeAccountId`. Until the account is ready, invoices go through ' +
      'the service’s own account. Waits up to 10 seconds for the processor. If it has not answered by then, ' +
      '`warnings` says so: call again. Requires a recent sign-in, or `password`.',
    body: ConnectBody,
    answers: { 200: envelope(Connection, warnings) },
    secret: true,
    awaitsJobs: true,
    asksAgain: 'always',
    write: (tx, { actor }) => startConnecting(tx, actor),
    answer: async ({ organizationId }, { services, enqueued, body }) => {
      await services.relay.publishAndWait(enqueued, services.config.PROCESSOR_WAIT_MS)
      const school = await findSchoolAccount(services.database.db, organizationId)
      if (!school?.account) return ok({ accountId: null, ready: false, onboardingUrl: null }, { warnings: [later] })
      const { account: accountId, ready } = school
      const onboardingUrl = ready ? null : await linkTo(services, school, body)
      const beside = ready || onboardingUrl ? {} : { warnings: [later] }
      return ok({ accountId, ready, onboardingUrl }, beside)
    },
  })
}

const later = billingErrors.gatewaySilent()

/** Returns the gateway's onboarding link, which is valid for minutes; null when the gateway is not available. */
async function linkTo({ gateway, config }: Services, school: SchoolAccount, links: Links): Promise<string | null> {
  const returnUrl = links?.returnUrl ?? config.PUBLIC_URL
  const { key, account, email } = school
  try {
    const link = { key, account, email, returnUrl, refreshUrl: links?.refreshUrl ?? returnUrl }
    return (await gateway.connectAccount(link)).onboardingUrl
  } catch (error) {
    if (error instanceof GatewayRefused) throw billingErrors.gatewayRefused({ reason: error.message })
    if (error instanceof GatewayUnavailable) return null
    throw error
  }
}
