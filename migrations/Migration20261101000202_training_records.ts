import { Migration } from '@mikro-orm/migrations'
import { referenceIndex, tenantRecord } from './tenant-record.ts'

/** Who trains on what, the record of each lesson, and the ledger of what it counts for. */
export class Migration20261101000202_training_records extends Migration {
  override up(): void {
    this.addSql(`
      create table enrollment (${tenantRecord}
        course_id integer not null,
        version_id integer not null,
        membership_id integer not null,
        instructor_id integer,
        status text not null default 'enrolled' check (status in ('enrolled', 'graduated', 'terminated', 'transferred')),
        fee_cents integer check (fee_cents >= 0),
        fee_label text,
        enrollment_certificate_number text,
        graduation_certificate_number text,
        certified_at timestamptz(3),
        certified_by integer,
        ended_at timestamptz(3),
        ended_by integer,
        end_reason text,
        check ((status = 'enrolled') = (ended_at is null)),
        check ((certified_at is null) = (certified_by is null)),
        unique (organization_id, id),
        unique (organization_id, id, version_id),
        foreign key (organization_id, course_id) references training_course (organization_id, id),
        foreign key (organization_id, course_id, version_id)
          references syllabus_version (organization_id, course_id, id),
        foreign key (organization_id, membership_id) references membership (organization_id, id),
        foreign key (organization_id, instructor_id) references membership (organization_id, id),
        foreign key (organization_id, certified_by) references membership (organization_id, id),
        foreign key (organization_id, ended_by) references membership (organization_id, id)
      )`)
    this.addSql(`
      create unique index enrollment_open on enrollment (organization_id, course_id, membership_id)
        where status = 'enrolled'`)
    this.addSql('create index enrollment_newest on enrollment (organization_id, created_at desc, id desc)')
    for (const column of ['course_id', 'version_id', 'membership_id']) {
      this.addSql(referenceIndex('enrollment', column, { optional: false }))
    }
    for (const column of ['instructor_id', 'certified_by', 'ended_by']) {
      this.addSql(referenceIndex('enrollment', column, { optional: true }))
    }
    this.addSql(`
      alter table invoice add foreign key (organization_id, enrollment_id) references enrollment (organization_id, id)`)
    this.addSql(`
      create unique index invoice_enrollment_fee on invoice (organization_id, enrollment_id)
        where enrollment_id is not null and status not in ('void', 'failed')`)
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
        check ((signed_at is null) = (signed_by is null)),
        check (signed_at is null or grade is not null),
        check (countersigned_at is null or signed_at is not null),
        check (amended_at is null or signed_at is not null),
        check ((amended_at is null) = (amended_by_id is null)),
        unique (organization_id, id),
        foreign key (organization_id, enrollment_id, version_id)
          references enrollment (organization_id, id, version_id),
        foreign key (organization_id, version_id, lesson_id)
          references syllabus_lesson (organization_id, version_id, id),
        foreign key (organization_id, reservation_id) references reservation (organization_id, id),
        foreign key (organization_id, instructor_id) references membership (organization_id, id),
        foreign key (organization_id, graded_by) references membership (organization_id, id),
        foreign key (organization_id, signed_by) references membership (organization_id, id),
        foreign key (organization_id, countersigned_by) references membership (organization_id, id),
        foreign key (organization_id, amends_id) references training_record (organization_id, id),
        foreign key (organization_id, amended_by_id) references training_record (organization_id, id),
        foreign key (organization_id, amended_by) references membership (organization_id, id)
      )`)
    this.addSql('create index training_record_enrollment on training_record (organization_id, enrollment_id, id)')
    for (const column of ['instructor_id', 'graded_by']) {
      this.addSql(referenceIndex('training_record', column, { optional: false }))
    }
    for (const column of ['reservation_id', 'signed_by', 'countersigned_by', 'amended_by_id', 'amended_by']) {
      this.addSql(referenceIndex('training_record', column, { optional: true }))
    }
    this.addSql('create index training_record_lesson on training_record (organization_id, version_id, lesson_id)')
    // Once signed, a record takes a countersignature and the mark of its amendment, each once; nothing else.
    this.addSql(`
      create function refuse_change_of_signed_record() returns trigger language plpgsql as $$
      declare
        open text[] := array['updated_at'];
      begin
        if old.signed_at is null or not exists (select 1 from organization where id = old.organization_id) then
          return coalesce(new, old);
        end if;
        if old.countersigned_at is null then
          open := open || array['countersigned_at', 'countersigned_by', 'countersigner_certificate_number'];
        end if;
        if old.amended_at is null then
          open := open || array['amended_at', 'amended_by_id', 'amended_by', 'amend_reason'];
        end if;
        if tg_op = 'DELETE' or to_jsonb(new) - open <> to_jsonb(old) - open then
          raise exception 'a signed training record cannot change' using errcode = 'restrict_violation';
        end if;
        return new;
      end $$`)
    this.addSql(`
      create trigger signed before update or delete on training_record
        for each row execute function refuse_change_of_signed_record()`)
    this.addSql(`
      create table credit_entry (${tenantRecord}
        enrollment_id integer not null,
        version_id integer not null,
        requirement_id integer not null,
        tenths integer,
        count integer,
        source text not null check (source in ('lesson', 'transfer_141', 'transfer_61', 'simulator', 'manual')),
        clock text check (clock in ('flight', 'instruction', 'simulator', 'ground')),
        notes text,
        occurred_at timestamptz(3) not null,
        record_id integer,
        reverses_id integer unique,
        created_by integer not null,
        check (num_nonnulls(tenths, count) = 1),
        check (case when reverses_id is null then coalesce(tenths, count) > 0 else coalesce(tenths, count) < 0 end),
        unique (organization_id, id),
        foreign key (organization_id, enrollment_id, version_id)
          references enrollment (organization_id, id, version_id),
        foreign key (organization_id, version_id, requirement_id)
          references syllabus_requirement (organization_id, version_id, id),
        foreign key (organization_id, record_id) references training_record (organization_id, id),
        foreign key (organization_id, reverses_id) references credit_entry (organization_id, id),
        foreign key (organization_id, created_by) references membership (organization_id, id)
      )`)
    this.addSql('create index credit_entry_enrollment on credit_entry (organization_id, enrollment_id, id)')
    this.addSql('create index credit_entry_requirement on credit_entry (organization_id, version_id, requirement_id)')
    this.addSql(referenceIndex('credit_entry', 'record_id', { optional: true }))
    this.addSql(referenceIndex('credit_entry', 'created_by', { optional: false }))
    this.addSql(
      'create trigger append_only before update or delete on credit_entry for each row execute function refuse_change()',
    )
  }
}
