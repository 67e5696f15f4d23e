import { monthEndAfter } from '../../platform/kernel/zones.ts'
import type { Recency } from './recency.types.ts'

export const medicalClasses = ['first', 'second', 'third', 'basic'] as const
export type MedicalClass = (typeof medicalClasses)[number]

export const medicalPrivileges = ['airline_transport', 'commercial', 'private'] as const
export type MedicalPrivilege = (typeof medicalPrivileges)[number]

/** A medical certificate, or BasicMed, on record. Days are `YYYY-MM-DD`. */
export interface MedicalRecord {
  id: number
  at: Date
  class: MedicalClass
  examinedOn: string
  /** The day of the online course; for BasicMed alone. */
  courseOn: string | null
}

/**
 * How long a medical is valid, in calendar months: for an examination before the 40th birthday, and for one on that day or
 * later. 14 CFR 61.23(d).
 */
interface Term {
  under40: number
  from40: number
}
const year: Term = { under40: 12, from40: 12 }
const privatePilot: Term = { under40: 60, from40: 24 }
const terms: Record<Exclude<MedicalClass, 'basic'>, Partial<Record<MedicalPrivilege, Term>>> = {
  first: { airline_transport: { under40: 12, from40: 6 }, commercial: year, private: privatePilot },
  second: { commercial: year, private: privatePilot },
  third: { private: privatePilot },
}

/** How long BasicMed is valid, in calendar months: after the examination (14 CFR 61.23(c)(3)(i)) and after the course. */
const BASIC_EXAMINATION_MONTHS = 48
const BASIC_COURSE_MONTHS = 24

/**
 * Returns the last day on which a medical is valid for a privilege; null when it is not valid for it. The age on the day of
 * the examination decides; without a birth date the shorter term applies. BasicMed is valid for private privileges while both
 * its examination and its course are valid. Implements 14 CFR 61.23(c) and (d).
 */
export function medicalEnd(
  { class: held, examinedOn, courseOn }: Omit<MedicalRecord, 'id' | 'at'>,
  privilege: MedicalPrivilege,
  birthDate: string | null,
): string | null {
  if (held === 'basic') {
    if (privilege !== 'private' || courseOn === null) return null
    const ends = [monthEndAfter(examinedOn, BASIC_EXAMINATION_MONTHS), monthEndAfter(courseOn, BASIC_COURSE_MONTHS)]
    return ends[0]! < ends[1]! ? ends[0]! : ends[1]!
  }
  const term = terms[held][privilege]
  if (!term) return null
  return monthEndAfter(examinedOn, isUnder40(birthDate, examinedOn) ? term.under40 : term.from40)
}

/** Returns whether a person is known to be under 40 on a day; an unknown age counts as 40 or more. */
function isUnder40(birthDate: string | null, on: string): boolean {
  return birthDate !== null && ageOn(birthDate, on) < 40
}

/** Returns the age in whole years on a day. */
function ageOn(birthDate: string, on: string): number {
  const years = Number(on.slice(0, 4)) - Number(birthDate.slice(0, 4))
  return on.slice(5) < birthDate.slice(5) ? years - 1 : years
}

/** The recency of a medical for the required privilege, and its last valid day for each privilege. */
export interface MedicalRecency extends Recency {
  privileges: { privilege: MedicalPrivilege; validUntil: string | null }[]
}

/**
 * Returns the last day on which a pilot's medical is valid for the required privilege, and for each privilege. When an
 * unknown birth date could change the former, `needs` includes it. Implements 14 CFR 61.23(a), (c) and (d).
 */
export function medicalRecency(
  record: MedicalRecord | null,
  birthDate: string | null,
  privilege: MedicalPrivilege,
): MedicalRecency {
  const endFor = (one: MedicalPrivilege) => record && medicalEnd(record, one, birthDate)
  const validUntil = endFor(privilege)
  const underForty = record && medicalEnd(record, privilege, record.examinedOn)
  const dependsOnAge = birthDate === null && underForty !== validUntil
  return {
    validUntil,
    evidence: record ? [{ kind: 'record', id: record.id, at: record.at, counted: null }] : [],
    needs: [
      { action: 'record', count: null, by: validUntil },
      ...(dependsOnAge ? [{ action: 'birth_date' as const, count: null, by: null }] : []),
    ],
    privileges: medicalPrivileges.map((one) => ({ privilege: one, validUntil: endFor(one) })),
  }
}
