import { type RawBuilder, sql } from 'kysely'

/**
 * Returns the SQL condition that an endorsement (`alias`) counts. Its signer is not the person endorsed (14 CFR 61.195(i)),
 * and either signed it or confirmed it after somebody else recorded it. When the signer is not a member, an owner or admin
 * who did not record it has verified the document that proves it. Implements interface §Training (endorsements on behalf).
 */
export function isProven(alias: string): RawBuilder<boolean> {
  const e = (column: string) => sql.ref(`${alias}.${column}`)
  return sql<boolean>`(case when ${e('signed_by')} is null then ${e('signer_name')} is not null and exists (
      select from document proof
      join membership verifier on verifier.organization_id = proof.organization_id and verifier.id = proof.verified_by
      where proof.organization_id = ${e('organization_id')} and proof.id = ${e('document_id')}
        and proof.status = 'verified' and verifier.id <> ${e('recorded_by')} and (verifier.admin or verifier.owner))
    else ${e('signed_by')} <> ${e('membership_id')} and ${e('disowned_at')} is null
      and (${e('confirmed_at')} is not null or coalesce(${e('recorded_by')}, ${e('signed_by')}) = ${e('signed_by')}) end)`
}
