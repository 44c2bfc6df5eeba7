//! An action on other people's data, money or rights, and no word on who may take it.

use super::first_in;
use crate::model::{Genre, Sighting};
use crate::stages::scoring::Context;
use crate::text::Hit;

/// Words that say who may, or that somebody checks.
const PERMISSIONS: &[&str] = &[
    "permission",
    "role",
    "admin",
    "manager",
    "supervisor",
    "authori",
    "allowed",
    "may ",
    "only ",
    "owner",
    "approv",
    "privilege",
    "access control",
    "access right",
    "rights",
    "four eyes",
    "lead",
    "head of",
    "own ",
    "auditor",
    "doctor",
    "nurse",
    "physician",
    "officer",
    "clinician",
    "hr ",
    "权限",
    "角色",
    "管理员",
    "主管",
    "经理",
    "仅",
    "只有",
    "只允许",
    "审批",
    "授权",
    "负责人",
    "本人",
    "自己",
    "店长",
    "医生",
    "护士",
    "财务",
    "超管",
];

/// One finding on the first sensitive action of a text that names no permission anywhere.
pub fn check(ctx: Context<'_>, places: &[Hit]) -> Vec<Sighting> {
    let genres =
        [Genre::AcceptanceCriterion, Genre::ShallStatement, Genre::GherkinStep, Genre::Demand, Genre::UserStory];
    let Some(span) = first_in(ctx, places, &genres) else { return Vec::new() };
    let whole = ctx.text.to_ascii_lowercase();
    if PERMISSIONS.iter().any(|word| whole.contains(word)) {
        return Vec::new();
    }
    vec![Sighting::at(span).with("term", span.slice(ctx.text))]
}
