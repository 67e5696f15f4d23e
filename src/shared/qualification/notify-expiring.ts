import { sql } from 'kysely'
import { noticeDue } from '../communication/notifications/expiry-notices.rules.ts'
import { needsNotice, noticeDueOf, notifyAbout } from '../communication/notifications/notify.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { type ClaimedRow, claimBatch } from '../platform/jobs/claim-batch.ts'
import { scopeKey } from './currencies/currency-scopes.rules.ts'
import { findCurrencyStates, type MemberCurrency } from './currencies/currency-state.queries.ts'
import { type CurrencyEnd, findEnds, findJudgedMembers } from './currencies/expiring.queries.ts'

/**
 * Enqueues a notification for each due notice of the end of a currency, only once when several workers find the same end.
 * `currency_end_notice` stores the last notice.
 */
async function notifyEnds(tx: Tx, ends: readonly CurrencyEnd[]): Promise<void> {
  if (ends.length === 0) return
  const { rows } = await sql<ClaimedRow>`
    insert into currency_end_notice as n
      (organization_id, currency_id, membership_id, scope, notified_for, notified_days)
    select * from unnest(${ends.map((end) => end.organizationId)}::int[], ${ends.map((end) => end.currencyId)}::int[],
      ${ends.map((end) => end.orgUserId)}::int[], ${ends.map((end) => end.scope)}::text[],
      ${ends.map((end) => end.endsAt.toISOString())}::timestamptz[], ${ends.map((end) => end.days)}::smallint[])
    on conflict (organization_id, currency_id, membership_id, scope)
      do update set notified_for = excluded.notified_for, notified_days = excluded.notified_days
      where n.notified_for <> excluded.notified_for or n.notified_days > excluded.notified_days
    returning id, organization_id as "organizationId"`.execute(tx.db)
  rows.forEach(notifyAbout(tx, 'currency_expiring'))
}

/**
 * Enqueues the due notices of recorded ends of currencies, each once per end. A renewed currency has a new end and gets new
 * notices. Several workers may run it at the same time. Returns the number of ends that it found. Implements interface
 * §Currencies.
 */
export async function notifyExpiringCurrencies(tx: Tx): Promise<number> {
  const ends = await findEnds(tx.db, tx.now)
  await notifyEnds(tx, ends)
  return ends.length
}

/**
 * Enqueues the due notices of currencies whose end is computed (recent flights, and currencies that follow a regulation),
 * once per end and kind of aircraft. Reads at most one batch of members with an orgUserId above `after`. Returns the last
 * orgUserId of the batch; null when there are no more members. Implements interface §Currencies.
 */
export async function notifyLapsingCurrencies(tx: Tx, after: number): Promise<number | null> {
  const batches = await findJudgedMembers(tx.db, after)
  for (const { organizationId, zone, members } of batches) {
    const states = await findCurrencyStates(tx.db, { organizationId, zone }, members, tx.now)
    await notifyEnds(
      tx,
      states.flatMap((state): CurrencyEnd[] => {
        const { orgUserId, currency, scope, expiresAt: endsAt } = state
        if (currency.kind === 'expiring' || endsAt === null) return []
        const days = noticeDue(tx.now, endsAt, validDaysOf(currency))
        return days === null
          ? []
          : [{ organizationId, currencyId: currency.id, orgUserId, scope: scopeKey(scope), endsAt, days }]
      }),
    )
  }
  const last = Math.max(...batches.flatMap(({ members }) => members.map(({ id }) => id)))
  return batches.length === 0 ? null : last
}

/**
 * Returns the period of recent flights or hours in days; undefined for other currencies. With it, a period of 30 days or fewer causes
 * no notice on the day of the flight.
 */
function validDaysOf({ requires }: MemberCurrency['currency']): number | undefined {
  if (requires.kind === 'hours_in_model') return requires.days ?? undefined
  return requires.kind === 'recent_flights' ? requires.days : undefined
}

/**
 * Enqueues the due notices of documents that expire, except those of members who left. Returns the number of notices.
 * Implements interface §Documents.
 */
export function notifyExpiringDocuments(tx: Tx): Promise<number> {
  return claimBatch(tx, {
    table: 'document',
    join: sql`left join membership m on m.organization_id = r.organization_id and m.id = r.membership_id`,
    due: sql`${needsNotice(tx.now)} and m.removed_at is null`,
    order: sql`r.expires_at`,
    mark: { expiry_notified_days: noticeDueOf(sql`r.expires_at`, tx.now) },
    each: notifyAbout(tx, 'document_expiring'),
  })
}
