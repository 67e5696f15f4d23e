import { Migration } from '@mikro-orm/migrations'
import { referenceIndex, tenantRecord } from './tenant-record.ts'

/** Courses, the versions of their syllabi, and what a version is made of. */
export class Migration20261101000200_syllabi extends Migration {
  override up(): void {
    this.addSql(`
      create table training_course (${tenantRecord}
        name text not null,
        description text,
        enrollment_fee_cents integer check (enrollment_fee_cents >= 0),
        enrollment_fee_label text,
        regulatory_part text not null default 'part61' check (regulatory_part in ('part61', 'part141')),
        certificate_sought text check (certificate_sought in
          ('private', 'instrument', 'commercial', 'cfi', 'atp', 'endorsement', 'other')),
        rating_id integer,
        target_days integer check (target_days > 0),
        archived boolean not null default false,
        unique (organization_id, id)
      )`)
    this.addSql(`
      create table syllabus_version (${tenantRecord}
        course_id integer not null,
        label text not null,
        state text not null default 'draft' check (state in ('draft', 'published', 'retired')),
        grading_scale jsonb not null,
        published_at timestamptz(3),
        published_by integer,
        approved_at timestamptz(3),
        approval_reference text,
        check ((state = 'draft') = (published_at is null)),
        unique (organization_id, id),
        unique (organization_id, course_id, id),
        foreign key (organization_id, course_id) references training_course (organization_id, id),
        foreign key (organization_id, published_by) references membership (organization_id, id)
      )`)
    this.addSql(
      'create unique index syllabus_version_label on syllabus_version (organization_id, course_id, lower(label))',
    )
    this.addSql(referenceIndex('syllabus_version', 'published_by', { optional: true }))
    this.addSql(`
      create table syllabus_stage (${tenantRecord}
        version_id integer not null,
        name text not null,
        objective text,
        position integer not null,
        requires_stage_check boolean not null default false,
        unique (organization_id, version_id, id),
        foreign key (organization_id, version_id) references syllabus_version (organization_id, id)
      )`)
    this.addSql(`
      create table syllabus_requirement (${tenantRecord}
        version_id integer not null,
        code text not null,
        label text not null,
        min_tenths integer check (min_tenths > 0),
        min_count integer check (min_count > 0),
        source text not null check (source in ('part61', 'part141', 'school')),
        max_simulator_bps integer check (max_simulator_bps between 0 and 10000),
        max_transfer_bps integer check (max_transfer_bps between 0 and 10000),
        recency_calendar_months integer check (recency_calendar_months > 0),
        check (num_nonnulls(min_tenths, min_count) = 1),
        unique (organization_id, version_id, id),
        foreign key (organization_id, version_id) references syllabus_version (organization_id, id)
      )`)
    this.addSql(
      'create unique index syllabus_requirement_code on syllabus_requirement (organization_id, version_id, lower(code))',
    )
    this.addSql(`
      create table syllabus_lesson (${tenantRecord}
        version_id integer not null,
        stage_id integer not null,
        name text not null,
        position integer not null,
        kind text not null check (kind in ('ground', 'flight', 'sim')),
        objectives text,
        completion_standards text,
        min_flight_tenths integer check (min_flight_tenths >= 0),
        min_ground_tenths integer check (min_ground_tenths >= 0),
        requires_signoff boolean not null default true,
        requires_notes boolean not null default false,
        is_stage_check boolean not null default false,
        unique (organization_id, version_id, id),
        foreign key (organization_id, version_id) references syllabus_version (organization_id, id),
        foreign key (organization_id, version_id, stage_id)
          references syllabus_stage (organization_id, version_id, id) on delete cascade
      )`)
    this.addSql('create index syllabus_lesson_stage on syllabus_lesson (organization_id, version_id, stage_id)')
    this.addSql(`
      create table syllabus_task (${tenantRecord}
        version_id integer not null,
        lesson_id integer not null,
        position integer not null,
        name text not null,
        acs_code text,
        standard text,
        unique (organization_id, version_id, id),
        foreign key (organization_id, version_id, lesson_id)
          references syllabus_lesson (organization_id, version_id, id) on delete cascade
      )`)
    this.addSql('create index syllabus_task_lesson on syllabus_task (organization_id, version_id, lesson_id, position)')
    // What a lesson posts to a requirement when its record is signed: the time on a clock, or a count.
    this.addSql(`
      create table syllabus_credit (${tenantRecord}
        version_id integer not null,
        lesson_id integer not null,
        requirement_id integer not null,
        clock text check (clock in ('flight', 'instruction', 'simulator', 'ground')),
        count integer check (count > 0),
        check (num_nonnulls(clock, count) = 1),
        foreign key (organization_id, version_id, lesson_id)
          references syllabus_lesson (organization_id, version_id, id) on delete cascade,
        foreign key (organization_id, version_id, requirement_id)
          references syllabus_requirement (organization_id, version_id, id) on delete cascade
      )`)
    this.addSql(`
      create unique index syllabus_credit_once on syllabus_credit
        (organization_id, version_id, lesson_id, requirement_id, coalesce(clock, ''))`)
    this.addSql(
      'create index syllabus_credit_requirement on syllabus_credit (organization_id, version_id, requirement_id)',
    )
  }
}
