import { type Differences, differencesOf } from '../../shared/billing/invoices/compare.rules.ts'
import { findInvoicesToCompare, findWhereInvoicesStand } from '../../shared/billing/invoices/left-at-gateway.queries.ts'
import type { GatewayInvoice } from '../../shared/platform/adapters/payments/payment-gateway.port.ts'
import { openGateway } from '../../shared/platform/adapters/payments/stripe.ts'
import type { Config } from '../../shared/platform/config/config.ts'
import type { Database } from '../../shared/platform/db/database.ts'
import { formatMoney } from '../../shared/platform/kernel/money.ts'

/** The most invoices that are listed per kind of difference. */
const NAMED = 20

/** The result of a comparison, with lines for the operator. */
interface Comparison {
  /** False when the service could charge somebody twice after it is resumed, or when the comparison failed. */
  agrees: boolean
  lines: string[]
}

/**
 * Compares the invoices of a restored database with those at the payment gateway, starting at the backup or at the
 * oldest open invoice, whichever is earlier. Lists the invoices that the database lacks, those that the gateway lacks,
 * and those whose status differs. Changes nothing.
 */
export async function compareWithGateway(config: Config, { db }: Database, backup: Date): Promise<Comparison> {
  try {
    const gateway = openGateway(config)
    const { accounts, openSince } = await findWhereInvoicesStand(db)
    const since = openSince && openSince < backup ? openSince : backup
    const theirs: GatewayInvoice[] = []
    for (const account of accounts) theirs.push(...(await gateway.listInvoices(account, since)))
    const keys = theirs.flatMap(({ key }) => key ?? [])
    const found = differencesOf(await findInvoicesToCompare(db, keys), theirs)
    const total = `compared with the payment gateway: ${theirs.length} invoices there since ${since.toISOString()}`
    return { agrees: found.unknown.length + found.missing.length === 0, lines: [total, ...linesOf(found)] }
  } catch (error) {
    return { agrees: false, lines: [`not compared with the payment gateway: ${(error as Error).message}`] }
  }
}

function linesOf({ unknown, moved, missing }: Differences): string[] {
  return [
    ...named('raised after the backup, and unknown here: charge nobody again for it', unknown, (invoice) => {
      const { gatewayInvoiceId, reference, totalCents, currency, status } = invoice
      const of = `invoice ${reference?.invoiceId} of organization ${reference?.organizationId}`
      return `${gatewayInvoiceId}, then ${of}, ${formatMoney(totalCents, currency)}, ${status}`
    }),
    ...named('payable here, and not at the gateway', missing, ({ id, organizationId }) => {
      return `invoice ${id} of organization ${organizationId}`
    }),
    ...named('moved on since; the service follows after flightline resume', moved, ({ ours, theirs }) => {
      return `invoice ${ours.id} of organization ${ours.organizationId} is ${ours.status} here and ${theirs.status} there`
    }),
  ]
}

function named<T>(title: string, found: readonly T[], line: (one: T) => string): string[] {
  if (found.length === 0) return []
  const more = found.length > NAMED ? [`  and ${found.length - NAMED} more`] : []
  return [`${title}:`, ...found.slice(0, NAMED).map((one) => `  ${line(one)}`), ...more]
}
