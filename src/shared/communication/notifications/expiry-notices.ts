import { type RawBuilder, sql } from 'kysely'
import { NOTICE_DAYS } from './expiry-notices.rules.ts'

/** Returns `noticeDue` as an expression of an instant in a query; null when none is due. */
export function noticeDueOf(endsAt: RawBuilder<unknown>, now: Date): RawBuilder<number | null> {
  const begun = NOTICE_DAYS.toReversed().map(
    (days) =>
      sql`when ${endsAt} <= ${now}::timestamptz + make_interval(hours => ${sql.lit(24 * days)}) then ${sql.lit(days)}`,
  )
  return sql`case when ${endsAt} <= ${now}::timestamptz then null ${sql.join(begun, sql` `)} end`
}

/**
 * Returns whether a row `r` with `expires_at` is owed a notice of its end: one is due and `expiry_told_days`, the last
 * one sent, is an earlier one.
 */
export function owesNotice(now: Date): RawBuilder<boolean> {
  return sql`r.expires_at > ${now} and coalesce(r.expiry_told_days, 32767) > ${noticeDueOf(sql`r.expires_at`, now)}`
}
