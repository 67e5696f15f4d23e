import type { Records } from '../support/records.ts'
import { members, type Rights } from './rights.ts'

const december = '?startDate=2026-12-01T00:00:00Z&endDate=2027-01-01T00:00:00Z'

/** A dual flight of the school's instructor and student: renters and technicians may not book such a one. */
function dual({ school, plane, location }: Records) {
  return {
    title: 'Lesson 5: landings',
    type: 'dual',
    start: '2026-12-20T10:00:00Z',
    end: '2026-12-20T12:00:00Z',
    timeZoneName: 'UTC',
    notes: 'Bring the checklist',
    resource: { id: plane },
    location: { id: location },
    personnel: {
      instructors: [{ orgUserId: school.instructor.orgUserId }],
      students: [{ orgUserId: school.student.orgUserId }],
    },
  }
}

export const schedulingRights: Rights[] = [
  { endpoint: 'GET /reservations', who: members, query: december },
  { endpoint: 'POST /reservations', who: members, but: { renter: 400, technician: 400 }, body: dual },
  { endpoint: 'GET /reservations/{id}', who: members, at: ['booked'] },
]
