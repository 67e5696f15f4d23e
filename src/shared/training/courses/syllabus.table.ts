import { defineEntity, p } from '@mikro-orm/core'
import { tenantRecord } from '../../platform/db/columns.ts'
import type { BasisPoints, Tenths } from '../../platform/kernel/units.ts'
import type { DeviceCeiling } from './device-ceilings.rules.ts'
import { clocks, lessonKinds, requirementSources } from './syllabus.rules.ts'

/** The columns of every part of a syllabus. Kysely writes the parts; the ORM only declares their columns. */
const part = { ...tenantRecord, versionId: p.integer() }

/** A stage of the syllabus. Lessons are ordered within it. */
export const SyllabusStage = defineEntity({
  name: 'SyllabusStage',
  tableName: 'syllabus_stage',
  properties: {
    ...part,
    name: p.text(),
    objective: p.text().nullable(),
    position: p.integer(),
    requiresStageCheck: p.boolean().default(false),
  },
})

/** A minimum to reach, in tenths of hours or as a count. Ceilings are basis points of that minimum. */
export const SyllabusRequirement = defineEntity({
  name: 'SyllabusRequirement',
  tableName: 'syllabus_requirement',
  properties: {
    ...part,
    code: p.text(),
    label: p.text(),
    minTenths: p.integer().$type<Tenths>().nullable(),
    minCount: p.integer().nullable(),
    source: p.enum(requirementSources),
    maxSimulatorBps: p.integer().$type<BasisPoints>().nullable(),
    maxTransferBps: p.integer().$type<BasisPoints>().nullable(),
    recencyCalendarMonths: p.integer().nullable(),
    recencyDays: p.integer().nullable(),
    deviceCeilings: p.json<DeviceCeiling[]>().default([]),
  },
})

/** A lesson. Its minimum times are tenths of hours. */
export const SyllabusLesson = defineEntity({
  name: 'SyllabusLesson',
  tableName: 'syllabus_lesson',
  properties: {
    ...part,
    stageId: p.integer(),
    name: p.text(),
    position: p.integer(),
    kind: p.enum(lessonKinds),
    objectives: p.text().nullable(),
    completionStandards: p.text().nullable(),
    minFlightTenths: p.integer().$type<Tenths>().nullable(),
    minGroundTenths: p.integer().$type<Tenths>().nullable(),
    requiresSignoff: p.boolean().default(true),
    requiresNotes: p.boolean().default(false),
    isStageCheck: p.boolean().default(false),
  },
})

/** A task of a lesson, usually one of the Airman Certification Standards. */
export const SyllabusTask = defineEntity({
  name: 'SyllabusTask',
  tableName: 'syllabus_task',
  properties: {
    ...part,
    lessonId: p.integer(),
    position: p.integer(),
    name: p.text(),
    acsCode: p.text().nullable(),
    standard: p.text().nullable(),
  },
})

/** The credit that a signed record of a lesson posts to a requirement: the reading of a clock, or a fixed count. */
export const SyllabusCredit = defineEntity({
  name: 'SyllabusCredit',
  tableName: 'syllabus_credit',
  properties: {
    ...part,
    lessonId: p.integer(),
    requirementId: p.integer(),
    clock: p.enum(clocks).nullable(),
    count: p.integer().nullable(),
  },
})
