import { type RawBuilder, sql } from 'kysely'
import { provingCategories } from '../platform/authz/rule-settings.ts'

/**
 * Returns the SQL condition that an endorsement (`alias`) counts. It has the number of the signer's certificate where that is
 * required, and contradicts no verified certificate. Its signer is not the person endorsed (14 CFR 61.195(i)), and either
 * signed it or confirmed it after somebody else recorded it. When the signer is not a member, an owner or admin who did not
 * record it has verified the document that proves it, which is of a category that can. Implements interface §Training (endorsements on behalf).
 */
export function isProven(alias: string): RawBuilder<boolean> {
  const e = (column: string) => sql.ref(`${alias}.${column}`)
  return sql<boolean>`(${e('certificate_flaw')} is null
    and (not ${e('number_required')} or ${e('signer_certificate_number')} is not null) and case when ${e('signed_by')} is null then ${e('signer_name')} is not null and exists (
      select from document proof
      join membership verifier on verifier.organization_id = proof.organization_id and verifier.id = proof.verified_by
      where proof.organization_id = ${e('organization_id')} and proof.id = ${e('document_id')}
        and proof.status = 'verified' and proof.upload = 'stored' and proof.category = any(${provingCategories})
        and verifier.id <> ${e('recorded_by')} and (verifier.admin or verifier.owner))
    else ${e('signed_by')} <> ${e('membership_id')} and ${e('disowned_at')} is null
      and (${e('confirmed_at')} is not null or coalesce(${e('recorded_by')}, ${e('signed_by')}) = ${e('signed_by')}) end)`
}

/** Why a signed endorsement counts for nothing; the first that applies is named. */
export const unprovenReasons = [
  'no_number',
  'other_number',
  'certificate_ended',
  'own',
  'disowned',
  'not_confirmed',
  'not_verified',
] as const
export type UnprovenReason = (typeof unprovenReasons)[number]

/** Returns SQL for the reason why an endorsement (`alias`) counts for nothing; null when it counts or is unsigned. */
export function unprovenReason(alias: string): RawBuilder<UnprovenReason | null> {
  const e = (column: string) => sql.ref(`${alias}.${column}`)
  return sql<UnprovenReason | null>`(case when coalesce(${e('signed_by')}::text, ${e('signer_name')}) is null then null
    when ${isProven(alias)} then null
    when ${e('number_required')} and ${e('signer_certificate_number')} is null then 'no_number'
    when ${e('certificate_flaw')} = 'ended' then 'certificate_ended'
    when ${e('certificate_flaw')} is not null then ${e('certificate_flaw')}
    when ${e('signed_by')} is null then 'not_verified'
    when ${e('signed_by')} = ${e('membership_id')} then 'own'
    when ${e('disowned_at')} is not null then 'disowned'
    else 'not_confirmed' end)`
}
