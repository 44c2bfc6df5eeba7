//! The way from the label to the approved PRD.

use super::{apply, approve_everything, ready};

#[test]
fn a_label_leads_to_an_approved_prd_by_reviews_alone() {
    let forge = ready();
    let asked = approve_everything(&forge);
    println!("{asked:?}");
    for comment in forge.own_comments() {
        println!("-----\n{comment}");
    }
    let state = forge.state();
    println!("{:#?}", state.files("reqgate/prd-7").keys());
    println!("{:#?}", state.pulls);
    for line in &state.log {
        println!("{line}");
    }
    panic!("look");
}
