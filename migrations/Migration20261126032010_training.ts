import { Migration } from '@mikro-orm/migrations'
import { tenantRecord } from './tenant-record.ts'

/** Courses, enrollments, records, tests, endorsements. */
export class Migration20261126032010_training extends Migration {
  override up(): void {
    this.addSql(`
      create table training_course (${tenantRecord}
        name text not null,
        description text,
        enrollment_fee_cents integer check (enrollment_fee_cents >= 0),
        enrollment_fee_label text,
        regulatory_part text not null default 'part61' check (regulatory_part in ('part61', 'part141')),
        certificate_sought text
          check (certificate_sought in ('private', 'instrument', 'commercial', 'cfi', 'atp', 'endorsement', 'other')),
        rating_id integer,
        target_days integer check (target_days > 0),
        archived boolean not null default false,
        chief_instructor_id integer,
        unique (organization_id, id),
        foreign key (organization_id, chief_instructor_id) references membership (organization_id, id)
      )`)
    this.addSql(`
      create index training_course_chief_instructor on training_course (organization_id, chief_instructor_id)`)
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
        device_ceilings jsonb not null default '[]',
        appendix text check (appendix in ('b', 'c', 'd')),
        check ((state = 'draft') = (published_at is null)),
        unique (organization_id, id),
        unique (organization_id, course_id, id),
        foreign key (organization_id, published_by) references membership (organization_id, id),
        foreign key (organization_id, course_id) references training_course (organization_id, id)
      )`)
    this.addSql(`
      create unique index syllabus_version_label on syllabus_version (organization_id, course_id, lower(label))`)
    this.addSql(`
      create index syllabus_version_published_by on syllabus_version (organization_id, published_by)
        where published_by is not null`)
    this.addSql(`
      create trigger published before delete or update on syllabus_version for each row execute function
        refuse_change_of_published_version()`)
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
      create trigger insert_new_of_published after insert on syllabus_stage referencing new table as touched for each
        statement execute function refuse_change_of_published_syllabus()`)
    this.addSql(`
      create trigger update_old_of_published after update on syllabus_stage referencing old table as touched for each
        statement execute function refuse_change_of_published_syllabus()`)
    this.addSql(`
      create trigger update_new_of_published after update on syllabus_stage referencing new table as touched for each
        statement execute function refuse_change_of_published_syllabus()`)
    this.addSql(`
      create trigger delete_old_of_published after delete on syllabus_stage referencing old table as touched for each
        statement execute function refuse_change_of_published_syllabus()`)
    this.addSql(`
      create table syllabus_requirement (${tenantRecord}
        version_id integer not null,
        code text not null,
        label text not null,
        min_tenths integer check (min_tenths > 0),
        min_count integer check (min_count > 0),
        source text not null check (source in ('part61', 'part141', 'school')),
        max_simulator_bps integer check (max_simulator_bps >= 0 and max_simulator_bps <= 10000),
        max_transfer_bps integer check (max_transfer_bps >= 0 and max_transfer_bps <= 10000),
        recency_calendar_months integer check (recency_calendar_months > 0),
        device_ceilings jsonb not null default '[]',
        recency_days integer,
        constraint syllabus_requirement_one_window check (recency_calendar_months is null or recency_days is null),
        check (num_nonnulls(min_tenths, min_count) = 1),
        unique (organization_id, version_id, id),
        foreign key (organization_id, version_id) references syllabus_version (organization_id, id)
      )`)
    this.addSql(`
      create unique index syllabus_requirement_code on syllabus_requirement (organization_id, version_id, lower(code))`)
    this.addSql(`
      create trigger update_new_of_published after update on syllabus_requirement referencing new table as touched for
        each statement execute function refuse_change_of_published_syllabus()`)
    this.addSql(`
      create trigger update_old_of_published after update on syllabus_requirement referencing old table as touched for
        each statement execute function refuse_change_of_published_syllabus()`)
    this.addSql(`
      create trigger insert_new_of_published after insert on syllabus_requirement referencing new table as touched for
        each statement execute function refuse_change_of_published_syllabus()`)
    this.addSql(`
      create trigger delete_old_of_published after delete on syllabus_requirement referencing old table as touched for
        each statement execute function refuse_change_of_published_syllabus()`)
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
        foreign key (organization_id, version_id, stage_id) references syllabus_stage (organization_id, version_id,
          id) on delete cascade,
        foreign key (organization_id, version_id) references syllabus_version (organization_id, id)
      )`)
    this.addSql('create index syllabus_lesson_stage on syllabus_lesson (organization_id, version_id, stage_id)')
    this.addSql(`
      create trigger update_new_of_published after update on syllabus_lesson referencing new table as touched for each
        statement execute function refuse_change_of_published_syllabus()`)
    this.addSql(`
      create trigger insert_new_of_published after insert on syllabus_lesson referencing new table as touched for each
        statement execute function refuse_change_of_published_syllabus()`)
    this.addSql(`
      create trigger update_old_of_published after update on syllabus_lesson referencing old table as touched for each
        statement execute function refuse_change_of_published_syllabus()`)
    this.addSql(`
      create trigger delete_old_of_published after delete on syllabus_lesson referencing old table as touched for each
        statement execute function refuse_change_of_published_syllabus()`)
    this.addSql(`
      create table syllabus_task (${tenantRecord}
        version_id integer not null,
        lesson_id integer not null,
        position integer not null,
        name text not null,
        acs_code text,
        standard text,
        unique (organization_id, version_id, id),
        foreign key (organization_id, version_id, lesson_id) references syllabus_lesson (organization_id, version_id,
          id) on delete cascade
      )`)
    this.addSql(`
      create index syllabus_task_lesson on syllabus_task (organization_id, version_id, lesson_id, "position")`)
    this.addSql(`
      create trigger update_new_of_published after update on syllabus_task referencing new table as touched for each
        statement execute function refuse_change_of_published_syllabus()`)
    this.addSql(`
      create trigger update_old_of_published after update on syllabus_task referencing old table as touched for each
        statement execute function refuse_change_of_published_syllabus()`)
    this.addSql(`
      create trigger delete_old_of_published after delete on syllabus_task referencing old table as touched for each
        statement execute function refuse_change_of_published_syllabus()`)
    this.addSql(`
      create trigger insert_new_of_published after insert on syllabus_task referencing new table as touched for each
        statement execute function refuse_change_of_published_syllabus()`)
    this.addSql(`
      create table syllabus_credit (${tenantRecord}
        version_id integer not null,
        lesson_id integer not null,
        requirement_id integer not null,
        clock text check (clock in ('flight', 'instruction', 'simulator', 'ground', 'night', 'cross_country',
          'actual_instrument', 'simulated_instrument', 'instrument', 'pic', 'solo', 'landings', 'full_stops',
          'night_takeoffs', 'night_full_stops', 'approaches')),
        count integer check (count > 0),
        check (num_nonnulls(clock, count) = 1),
        foreign key (organization_id, version_id, requirement_id) references syllabus_requirement (organization_id,
          version_id, id) on delete cascade,
        foreign key (organization_id, version_id, lesson_id) references syllabus_lesson (organization_id, version_id,
          id) on delete cascade
      )`)
    this.addSql(`
      create unique index syllabus_credit_once on syllabus_credit (organization_id, version_id, lesson_id,
        requirement_id, coalesce(clock, ''))`)
    this.addSql(`
      create index syllabus_credit_requirement on syllabus_credit (organization_id, version_id, requirement_id)`)
    this.addSql(`
      create trigger update_old_of_published after update on syllabus_credit referencing old table as touched for each
        statement execute function refuse_change_of_published_syllabus()`)
    this.addSql(`
      create trigger delete_old_of_published after delete on syllabus_credit referencing old table as touched for each
        statement execute function refuse_change_of_published_syllabus()`)
    this.addSql(`
      create trigger insert_new_of_published after insert on syllabus_credit referencing new table as touched for each
        statement execute function refuse_change_of_published_syllabus()`)
    this.addSql(`
      create trigger update_new_of_published after update on syllabus_credit referencing new table as touched for each
        statement execute function refuse_change_of_published_syllabus()`)
    this.addSql(`
      create table enrollment (${tenantRecord}
        course_id integer not null,
        version_id integer not null,
        membership_id integer not null,
        instructor_id integer,
        status text not null default 'enrolled'
          check (status in ('enrolled', 'graduated', 'terminated', 'transferred')),
        fee_cents integer check (fee_cents >= 0),
        fee_label text,
        enrollment_certificate_number text,
        graduation_certificate_number text,
        certified_at timestamptz(3),
        certified_by integer,
        ended_at timestamptz(3),
        ended_by integer,
        end_reason text,
        planned_test_at timestamptz(3),
        planned_application_at timestamptz(3),
        certified_as text check (certified_as in ('chief_instructor', 'admin')),
        merged_from integer,
        check ((status = 'enrolled') = (ended_at is null)),
        check ((certified_at is null) = (certified_by is null)),
        unique (organization_id, id),
        unique (organization_id, id, version_id),
        foreign key (organization_id, course_id) references training_course (organization_id, id),
        foreign key (organization_id, course_id, version_id) references syllabus_version (organization_id, course_id,
          id),
        foreign key (organization_id, ended_by) references membership (organization_id, id),
        foreign key (organization_id, instructor_id) references membership (organization_id, id),
        foreign key (organization_id, membership_id) references membership (organization_id, id),
        foreign key (organization_id, merged_from) references membership (organization_id, id),
        foreign key (organization_id, certified_by) references membership (organization_id, id)
      )`)
    this.addSql(`
      create unique index enrollment_open on enrollment (organization_id, course_id, membership_id)
        where status = 'enrolled'`)
    this.addSql('create index enrollment_newest on enrollment (organization_id, created_at desc, id desc)')
    this.addSql('create index enrollment_course_id on enrollment (organization_id, course_id)')
    this.addSql('create index enrollment_version_id on enrollment (organization_id, version_id)')
    this.addSql('create index enrollment_membership_id on enrollment (organization_id, membership_id)')
    this.addSql(`
      create index enrollment_instructor_id on enrollment (organization_id, instructor_id)
        where instructor_id is not null`)
    this.addSql(`
      create index enrollment_certified_by on enrollment (organization_id, certified_by)
        where certified_by is not null`)
    this.addSql('create index enrollment_ended_by on enrollment (organization_id, ended_by) where ended_by is not null')
    this.addSql(`
      create index enrollment_in_training on enrollment (organization_id, instructor_id) where status = 'enrolled'`)
    this.addSql(`
      create index enrollment_merged_from on enrollment (organization_id, merged_from) where merged_from is not null`)
    this.addSql('create index enrollment_status on enrollment (organization_id, status, created_at desc, id desc)')
    this.addSql(`
      create table training_record (${tenantRecord}
        enrollment_id integer not null,
        version_id integer not null,
        lesson_id integer not null,
        grade text,
        notes text,
        flight_tenths integer check (flight_tenths >= 0),
        instruction_tenths integer check (instruction_tenths >= 0),
        simulator_tenths integer check (simulator_tenths >= 0),
        ground_tenths integer check (ground_tenths >= 0),
        task_grades jsonb not null default '[]',
        reservation_id integer,
        instructor_id integer not null,
        graded_by integer not null,
        trained_at timestamptz(3) not null,
        signed_at timestamptz(3),
        signed_by integer,
        signer_certificate_number text,
        countersigned_at timestamptz(3),
        countersigned_by integer,
        countersigner_certificate_number text,
        amends_id integer unique,
        amended_at timestamptz(3),
        amended_by_id integer,
        amended_by integer,
        amend_reason text,
        night_tenths integer check (night_tenths >= 0),
        cross_country_tenths integer check (cross_country_tenths >= 0),
        actual_instrument_tenths integer check (actual_instrument_tenths >= 0),
        simulated_instrument_tenths integer check (simulated_instrument_tenths >= 0),
        pic_tenths integer check (pic_tenths >= 0),
        solo_tenths integer check (solo_tenths >= 0),
        landings integer check (landings >= 0),
        check ((signed_at is null) = (signed_by is null)),
        check (signed_at is null or grade is not null),
        check (countersigned_at is null or signed_at is not null),
        check (amended_at is null or signed_at is not null),
        check ((amended_at is null) = (amended_by_id is null)),
        unique (organization_id, id),
        foreign key (organization_id, version_id, lesson_id) references syllabus_lesson (organization_id, version_id,
          id),
        foreign key (organization_id, signed_by) references membership (organization_id, id),
        foreign key (organization_id, reservation_id) references reservation (organization_id, id),
        foreign key (organization_id, instructor_id) references membership (organization_id, id),
        foreign key (organization_id, graded_by) references membership (organization_id, id),
        foreign key (organization_id, enrollment_id, version_id) references enrollment (organization_id, id,
          version_id),
        foreign key (organization_id, countersigned_by) references membership (organization_id, id),
        foreign key (organization_id, amends_id) references training_record (organization_id, id),
        foreign key (organization_id, amended_by_id) references training_record (organization_id, id),
        foreign key (organization_id, amended_by) references membership (organization_id, id)
      )`)
    this.addSql('create index training_record_enrollment on training_record (organization_id, enrollment_id, id)')
    this.addSql('create index training_record_instructor_id on training_record (organization_id, instructor_id)')
    this.addSql('create index training_record_graded_by on training_record (organization_id, graded_by)')
    this.addSql(`
      create index training_record_reservation_id on training_record (organization_id, reservation_id)
        where reservation_id is not null`)
    this.addSql(`
      create index training_record_signed_by on training_record (organization_id, signed_by)
        where signed_by is not null`)
    this.addSql(`
      create index training_record_countersigned_by on training_record (organization_id, countersigned_by)
        where countersigned_by is not null`)
    this.addSql(`
      create index training_record_amended_by_id on training_record (organization_id, amended_by_id)
        where amended_by_id is not null`)
    this.addSql(`
      create index training_record_amended_by on training_record (organization_id, amended_by)
        where amended_by is not null`)
    this.addSql('create index training_record_lesson on training_record (organization_id, version_id, lesson_id)')
    this.addSql(`
      create index training_record_to_sign on training_record (organization_id, instructor_id)
        where signed_at is null and amended_at is null`)
    this.addSql(`
      create index training_record_to_countersign on training_record (organization_id, enrollment_id)
        where signed_at is not null and countersigned_at is null and amended_at is null`)
    this.addSql(`
      create trigger signed before delete or update on training_record for each row execute function
        refuse_change_of_signed_record()`)
    this.addSql(`
      create table credit_entry (${tenantRecord}
        enrollment_id integer not null,
        version_id integer not null,
        requirement_id integer not null,
        tenths integer,
        count integer,
        source text not null check (source in ('lesson', 'transfer_141', 'transfer_61', 'simulator', 'manual')),
        clock text check (clock in ('flight', 'instruction', 'simulator', 'ground', 'night', 'cross_country',
          'actual_instrument', 'simulated_instrument', 'instrument', 'pic', 'solo', 'landings', 'full_stops',
          'night_takeoffs', 'night_full_stops', 'approaches')),
        notes text,
        occurred_at timestamptz(3) not null,
        record_id integer,
        reverses_id integer unique,
        created_by integer not null,
        device_kind text check (device_kind in ('ffs', 'ftd', 'aatd', 'batd')),
        check (num_nonnulls(tenths, count) = 1),
        check (case
    when (reverses_id is null) then (coalesce(tenths, count) > 0)
    else (coalesce(tenths,
          count) < 0)
end),
        unique (organization_id, id),
        foreign key (organization_id, created_by) references membership (organization_id, id),
        foreign key (organization_id, enrollment_id, version_id) references enrollment (organization_id, id,
          version_id),
        foreign key (organization_id, version_id, requirement_id) references syllabus_requirement (organization_id,
          version_id, id),
        foreign key (organization_id, reverses_id) references credit_entry (organization_id, id),
        foreign key (organization_id, record_id) references training_record (organization_id, id)
      )`)
    this.addSql('create index credit_entry_enrollment on credit_entry (organization_id, enrollment_id, id)')
    this.addSql('create index credit_entry_requirement on credit_entry (organization_id, version_id, requirement_id)')
    this.addSql(`
      create index credit_entry_record_id on credit_entry (organization_id, record_id) where record_id is not null`)
    this.addSql('create index credit_entry_created_by on credit_entry (organization_id, created_by)')
    this.addSql(`
      create trigger append_only before delete or update on credit_entry for each row execute function refuse_change()`)
    this.addSql(`
      create table endorsement (${tenantRecord}
        membership_id integer not null,
        enrollment_id integer,
        template_code text,
        template_edition text,
        title text not null,
        rendered_text text not null,
        expires_at timestamptz(3),
        signed_by integer,
        signer_certificate_number text,
        signer_certificate_expiry timestamptz(3),
        supersedes_id integer unique,
        superseded_at timestamptz(3),
        superseded_by_id integer,
        expiry_notified_days smallint,
        signed_at timestamptz(3) not null default now(),
        training_at timestamptz(3),
        parameters jsonb not null default '{}',
        signer_name text,
        recorded_by integer,
        confirmed_at timestamptz(3),
        disowned_at timestamptz(3),
        document_id integer,
        merged_from integer,
        imported boolean not null default false,
        constraint endorsement_one_signer check (signed_by is null or signer_name is null),
        check ((superseded_at is null) = (superseded_by_id is null)),
        unique (organization_id, id),
        foreign key (organization_id, merged_from) references membership (organization_id, id),
        foreign key (organization_id, recorded_by) references membership (organization_id, id),
        foreign key (organization_id, signed_by) references membership (organization_id, id),
        foreign key (organization_id, superseded_by_id) references endorsement (organization_id, id),
        foreign key (organization_id, supersedes_id) references endorsement (organization_id, id),
        foreign key (organization_id, enrollment_id) references enrollment (organization_id, id),
        foreign key (organization_id, membership_id, document_id) references document (organization_id, membership_id,
          id) on delete set null (document_id),
        foreign key (organization_id, membership_id) references membership (organization_id, id)
      )`)
    this.addSql('create index endorsement_member on endorsement (organization_id, membership_id, id desc)')
    this.addSql('create index endorsement_signed_by on endorsement (organization_id, signed_by)')
    this.addSql(`
      create index endorsement_enrollment_id on endorsement (organization_id, enrollment_id)
        where enrollment_id is not null`)
    this.addSql(`
      create index endorsement_superseded_by_id on endorsement (organization_id, superseded_by_id)
        where superseded_by_id is not null`)
    this.addSql('create index endorsement_newest on endorsement (organization_id, created_at desc, id desc)')
    this.addSql(`
      create index endorsement_expiry on endorsement (expires_at)
        where expires_at is not null and superseded_at is null`)
    this.addSql(`
      create index endorsement_recorded_by on endorsement (organization_id, recorded_by) where recorded_by is not null`)
    this.addSql('create index endorsement_document_id on endorsement (organization_id, membership_id, document_id)')
    this.addSql(`
      create index endorsement_merged_from on endorsement (organization_id, merged_from) where merged_from is not null`)
    this.addSql(`
      create index endorsement_code on endorsement (organization_id, template_code, created_at desc, id desc)`)
    this.addSql('create index endorsement_signed_at on endorsement (organization_id, signed_at)')
    this.addSql(`
      create index endorsement_expiring on endorsement (organization_id, expires_at) where expires_at is not null`)
    this.addSql(`
      create trigger verbatim before delete or update on endorsement for each row execute function
        refuse_change_of_endorsement()`)
    this.addSql(`
      create table training_grant (${tenantRecord}
        membership_id integer not null,
        kind text not null check (kind in ('configureTraining', 'manageEnrollment', 'checkInstructor', 'auditor')),
        course_id integer,
        granted_by integer not null,
        check ((kind = 'checkInstructor') = (course_id is not null)),
        unique (organization_id, id),
        foreign key (organization_id, granted_by) references membership (organization_id, id),
        foreign key (organization_id, membership_id) references membership (organization_id, id) on delete cascade,
        foreign key (organization_id, course_id) references training_course (organization_id, id)
      )`)
    this.addSql(`
      create unique index training_grant_once on training_grant (organization_id, membership_id, kind,
        coalesce(course_id, 0))`)
    this.addSql(`
      create index training_grant_course_id on training_grant (organization_id, course_id) where course_id is not null`)
    this.addSql('create index training_grant_granted_by on training_grant (organization_id, granted_by)')
    this.addSql(`
      create table training_test (${tenantRecord}
        membership_id integer not null,
        enrollment_id integer,
        kind text not null check (kind in ('knowledge', 'practical', 'stage', 'end_of_course')),
        taken_at timestamptz(3) not null,
        result text not null check (result in ('passed', 'failed', 'discontinued')),
        score smallint check (score >= 0 and score <= 100),
        examiner text,
        deficiencies text,
        report_number text,
        endorsement_id integer,
        recorded_by integer not null,
        expires_at timestamptz(3),
        expiry_notified_days smallint,
        unique (organization_id, id),
        foreign key (organization_id, membership_id) references membership (organization_id, id),
        foreign key (organization_id, recorded_by) references membership (organization_id, id),
        foreign key (organization_id, enrollment_id) references enrollment (organization_id, id),
        foreign key (organization_id, endorsement_id) references endorsement (organization_id, id)
      )`)
    this.addSql('create index training_test_newest on training_test (organization_id, taken_at desc, id desc)')
    this.addSql('create index training_test_membership on training_test (organization_id, membership_id, taken_at)')
    this.addSql('create index training_test_enrollment on training_test (organization_id, enrollment_id)')
    this.addSql('create index training_test_endorsement on training_test (organization_id, endorsement_id)')
    this.addSql('create index training_test_recorded_by on training_test (organization_id, recorded_by)')
    this.addSql('create index training_test_expires on training_test (expires_at) where expires_at is not null')
    this.addSql('create index training_test_kind on training_test (organization_id, kind, taken_at desc, id desc)')
    this.addSql(`
      create table planned_lesson (${tenantRecord}
        reservation_id integer not null,
        membership_id integer not null,
        version_id integer not null,
        lesson_id integer not null,
        unique (organization_id, reservation_id, membership_id),
        foreign key (organization_id, reservation_id) references reservation (organization_id, id) on delete cascade,
        foreign key (organization_id, version_id, lesson_id) references syllabus_lesson (organization_id, version_id,
          id),
        foreign key (organization_id, membership_id) references membership (organization_id, id)
      )`)
    this.addSql('create index planned_lesson_membership on planned_lesson (organization_id, membership_id)')
    this.addSql('create index planned_lesson_lesson on planned_lesson (organization_id, version_id, lesson_id)')
    this.addSql(`
      create table training_certificate (${tenantRecord}
        enrollment_id integer not null,
        kind text not null check (kind in ('enrollment', 'graduation')),
        number integer not null check (number > 0),
        pdf bytea not null,
        unique (organization_id, kind, number),
        unique (organization_id, enrollment_id, kind),
        foreign key (organization_id, enrollment_id) references enrollment (organization_id, id)
      )`)
    this.addSql(`
      create trigger append_only before delete or update on training_certificate for each row execute function
        refuse_change()`)
  }
}
