import { Migration } from '@mikro-orm/migrations'
import { referenceIndex, tenantRecord } from './tenant-record.ts'

/** What instructors endorse, and who may do what in training beyond their roles. */
export class Migration20261101000203_endorsements extends Migration {
  override up(): void {
    this.addSql(`
      create table endorsement (${tenantRecord}
        membership_id integer not null,
        enrollment_id integer,
        template_code text,
        template_edition text,
        title text not null,
        rendered_text text not null,
        expires_at timestamptz(3),
        signed_by integer not null,
        signer_certificate_number text,
        signer_certificate_expiry timestamptz(3),
        supersedes_id integer unique,
        superseded_at timestamptz(3),
        superseded_by_id integer,
        expiry_told_at timestamptz(3),
        check ((superseded_at is null) = (superseded_by_id is null)),
        unique (organization_id, id),
        foreign key (organization_id, membership_id) references membership (organization_id, id),
        foreign key (organization_id, enrollment_id) references enrollment (organization_id, id),
        foreign key (organization_id, signed_by) references membership (organization_id, id),
        foreign key (organization_id, supersedes_id) references endorsement (organization_id, id),
        foreign key (organization_id, superseded_by_id) references endorsement (organization_id, id)
      )`)
    this.addSql('create index endorsement_member on endorsement (organization_id, membership_id, id desc)')
    this.addSql(referenceIndex('endorsement', 'signed_by', { optional: false }))
    this.addSql(referenceIndex('endorsement', 'enrollment_id', { optional: true }))
    this.addSql(referenceIndex('endorsement', 'superseded_by_id', { optional: true }))
    this.addSql('create index endorsement_newest on endorsement (organization_id, created_at desc, id desc)')
    this.addSql(`
      create index endorsement_expiring on endorsement (expires_at)
        where expires_at is not null and superseded_at is null and expiry_told_at is null`)
    // An endorsement stands as it was signed; it is only ever replaced by another.
    this.addSql(`
      create function refuse_change_of_endorsement() returns trigger language plpgsql as $$
      declare
        open text[] := array['updated_at', 'expiry_told_at'];
      begin
        if not exists (select 1 from organization where id = old.organization_id) then
          return coalesce(new, old);
        end if;
        if old.superseded_at is null then
          open := open || array['superseded_at', 'superseded_by_id'];
        end if;
        if tg_op = 'DELETE' or to_jsonb(new) - open <> to_jsonb(old) - open then
          raise exception 'an endorsement cannot change' using errcode = 'restrict_violation';
        end if;
        return new;
      end $$`)
    this.addSql(`
      create trigger verbatim before update or delete on endorsement
        for each row execute function refuse_change_of_endorsement()`)
    this.addSql(`
      create table training_grant (${tenantRecord}
        membership_id integer not null,
        kind text not null check (kind in ('configureTraining', 'manageEnrollment', 'checkInstructor', 'auditor')),
        course_id integer,
        granted_by integer not null,
        check ((kind = 'checkInstructor') = (course_id is not null)),
        unique (organization_id, id),
        foreign key (organization_id, membership_id) references membership (organization_id, id) on delete cascade,
        foreign key (organization_id, course_id) references training_course (organization_id, id),
        foreign key (organization_id, granted_by) references membership (organization_id, id)
      )`)
    this.addSql(`
      create unique index training_grant_once on training_grant
        (organization_id, membership_id, kind, coalesce(course_id, 0))`)
    this.addSql(referenceIndex('training_grant', 'course_id', { optional: true }))
    this.addSql(referenceIndex('training_grant', 'granted_by', { optional: false }))
  }
}
