import { describe, expect, test } from 'vitest'
import {
  missingOf,
  type OverviewFacts,
  shareOf,
  waitsFor,
} from '../../../src/shared/training/enrollments/student-overview.rules.ts'

const underway: OverviewFacts = {
  hasInstructor: true,
  toRecord: false,
  toCountersign: false,
  lessonsLeft: true,
  missing: ['Solo flight: 3.2 of 10.0 hours'],
  booked: true,
}

describe('who must act for a student (§Training: GET /training/students)', () => {
  test.for<[string, Partial<OverviewFacts>, ReturnType<typeof waitsFor>]>([
    ['is nobody while the next booking stands', {}, null],
    ['is the student, to book', { booked: false }, 'student'],
    ['is the instructor, to record', { toRecord: true, toCountersign: true, booked: false }, 'instructor'],
    ['is the school, when nobody could record', { toRecord: true, hasInstructor: false }, 'school'],
    ['is the student, to countersign', { toCountersign: true }, 'student'],
    ['is the school, to name an instructor', { hasInstructor: false }, 'school'],
    ['is the school, to end what is complete', { lessonsLeft: false, missing: [], booked: false }, 'school'],
    ['is the student, while hours are left after the last lesson', { lessonsLeft: false, booked: false }, 'student'],
  ])('%s', ([, facts, expected]) => {
    expect(waitsFor({ ...underway, ...facts })).toBe(expected)
  })
})

describe('what a student misses (§Training: GET /training/students)', () => {
  test('is each requirement that is not met, in hours or as a count', () => {
    const hours = { label: 'Solo flight', inHours: true, credited: 32, required: 100, met: false }
    const count = { label: 'Landings', inHours: false, credited: -1, required: 10, met: false }
    expect(missingOf([hours, { ...hours, met: true }, count])).toEqual([
      'Solo flight: 3.2 of 10.0 hours',
      'Landings: 0 of 10',
    ])
  })

  test.for<[number, number, number]>([
    [0, 0, 0],
    [2, 3, 0.66],
    [3, 3, 1],
  ])('is seen against %i of %i lessons: %d', ([completed, lessons, share]) => {
    expect(shareOf({ completed, lessons })).toBe(share)
  })
})
