//! An acronym that a document uses often and never explains.

use std::collections::BTreeMap;

use crate::model::{Genre, Match, Span};
use crate::stages::scoring::Context;

/// Used fewer times, it is a name in passing.
const FEWEST: usize = 3;

/// What every reader of a requirements document knows, units and product names among them.
const KNOWN: &[&str] = &[
    "AND", "API", "APIS", "ASCII", "AWS", "B2B", "B2C", "BCC", "BDD", "CAD", "CDN", "CEO", "CET", "CFO", "CI", "CLI",
    "CMS", "CORS", "CPU", "CRM", "CRUD", "CSRF", "CSS", "CSV", "CTO", "DAU", "DB", "DNS", "DOM", "EOF", "ERP", "ETA",
    "EU", "EUR", "FAQ", "FR", "FTP", "GDPR", "GET", "GIF", "GIT", "GMT", "GPS", "GPU", "GUI", "HDMI", "HTML", "HTTP",
    "HTTPS", "IBAN", "ID", "IDE", "IDS", "IMAP", "IOS", "IP", "ISBN", "ISO", "IT", "JPEG", "JPG", "JS", "JSON", "JWT",
    "KPI", "KPIS", "LAN", "LDAP", "LED", "LLM", "MAC", "MAU", "MFA", "MIT", "ML", "MP3", "MP4", "MUST", "MVP", "NFC",
    "NFR", "NOT", "NPS", "OAUTH", "OCR", "OIDC", "OK", "OR", "ORM", "OS", "OTP", "PC", "PDF", "PII", "PIN", "PNG",
    "POS", "POST", "PR", "PRD", "PUT", "QA", "QR", "RAM", "README", "REST", "RFC", "RGB", "ROI", "RPC", "RSS", "SAAS",
    "SAML", "SDK", "SEO", "SHALL", "SHOULD", "SKU", "SLA", "SLO", "SMS", "SMTP", "SPA", "SQL", "SSD", "SSH", "SSL",
    "SSO", "SVG", "TBD", "TCP", "THEN", "TLS", "TODO", "TTL", "TV", "UDP", "UI", "UML", "URI", "URL", "URLS", "USA",
    "USB", "USD", "UTC", "UTF", "UUID", "UX", "VAT", "VIP", "VPN", "WCAG", "WHEN", "GIVEN", "WIFI", "XML", "XSS",
    "YAML", "ZIP", "AI", "AR", "VR", "IM", "H5", "APP", "DELETE", "PATCH", "NULL", "TRUE", "FALSE", "AES", "RSA",
    "SHA", "RBAC", "ACL", "CD", "DVD", "LGTM", "NA", "WIP", "MAY", "NEVER", "ONLY", "ALL", "NO", "YES", "P0", "P1",
    "P2", "P3", "ADD", "SET", "NEW", "OLD", "FK", "PK", "KB", "MB", "GB", "TB", "MCP", "GPT", "CTA", "GMV", "PV", "UV",
    "OKR", "SOP", "BI", "HR", "US", "UK", "TDD", "DDD", "DTO", "WIKI", "SFTP", "BIC", "SEPA", "CHF", "GBP", "JPY",
    "CNY", "RMB", "QPS", "TPS", "HEAD", "CRON", "EXCEL", "EAN", "IOT", "TOTP", "SSE", "GRPC", "CEST", "EST", "PST",
    "DDL", "DML", "WSL", "PEP", "ETL", "WMS", "TMS", "MES", "PLC", "HIPAA", "PCI", "DSS", "GAAP", "IFRS", "ICD", "EHR",
    "EMR", "FHIR", "DICOM", "MRI", "ECG", "BMI", "KYC", "AML", "ACH", "SWIFT", "CMYK", "DPI", "RFID", "BLE", "IMEI",
    "VIN", "LTE", "MQTT", "OTA", "FIFO", "LIFO", "SME", "CTR", "CPC", "CPM", "LTV", "ARPU", "MRR", "ARR", "ASAP",
    "FYI", "NDA", "RFP", "CSRF", "HSTS", "TOML", "INI", "BMP", "TIFF", "WEBP", "AVIF", "WAV", "EPUB", "DOCX", "XLSX",
    "PPTX", "LDAPS", "VPC", "IAM", "ARN", "EC2", "S3", "GKE", "EKS", "CRD", "DAG", "NLP", "RAG", "TTS", "ASR", "ATM",
    "CCTV", "HVAC",
];

/// Findings on the first use of each acronym that is used often and explained nowhere.
pub fn check(ctx: Context<'_>) -> Vec<Match> {
    let mut uses: BTreeMap<&str, (usize, Span)> = BTreeMap::new();
    let sentences = ctx.reading.sentences.iter();
    for sentence in sentences.filter(|s| !matches!(s.genre, Genre::Code | Genre::Quotation | Genre::Aside)) {
        for span in acronyms(ctx.text, sentence.span) {
            uses.entry(span.slice(ctx.text)).or_insert((0, span)).0 += 1;
        }
    }
    let mut repeated: Vec<(&str, Span)> = uses
        .into_iter()
        .filter(|(name, (count, _))| *count >= FEWEST && !is_known_acronym(name))
        .map(|(name, (_, span))| (name, span))
        .collect();
    repeated.sort_by_key(|(_, span)| *span);
    let unexplained = repeated.into_iter().take(MOST).filter(|(name, _)| !is_explained_acronym(ctx.text, name));
    unexplained.map(|(name, span)| Match::at(span).with("term", name)).collect()
}

/// So many acronyms are looked up in the whole text, the first ones: a text with more is a table of codes, and looking each
/// of them up would cost the square of its length.
const MOST: usize = 40;

/// Words of three to five capitals that stand in prose; a line in capitals is shouting, not acronyms.
fn acronyms(text: &str, within: Span) -> Vec<Span> {
    let slice = within.slice(text);
    let lower = slice.bytes().filter(u8::is_ascii_lowercase).count();
    let upper = slice.bytes().filter(u8::is_ascii_uppercase).count();
    if upper < 3 || upper > lower + 12 {
        return Vec::new();
    }
    let mut out = Vec::new();
    let mut start = None;
    for (index, c) in slice.char_indices().chain([(slice.len(), ' ')]) {
        let inside = c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/' | '.' | '`');
        match (start, inside) {
            (None, true) => start = Some(index),
            (Some(from), false) => {
                let word = slice[from..index].trim_end_matches('.');
                if (3..=5).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_uppercase()) {
                    out.push(Span::new(within.start + from, within.start + from + word.len()));
                }
                start = None;
            }
            _ => {}
        }
    }
    out
}

/// True for an acronym that every reader of a requirements document knows.
pub fn is_known_acronym(name: &str) -> bool {
    KNOWN.contains(&name)
}

/// "Point of sale (POS)", "POS (point of sale)", "POS: …", "POS = …", or a table row that begins with it.
pub fn is_explained_acronym(text: &str, name: &str) -> bool {
    let mut from = 0;
    while let Some(found) = text[from..].find(name).map(|found| from + found) {
        let before = text[..found].chars().next_back();
        let after = text[found + name.len()..].trim_start_matches(['*', '`', '_']).trim_start();
        let bracketed = matches!(before, Some('(' | '（')) && after.starts_with([')', '）', ',', '，']);
        let says = ["(", "（", ":", "：", "=", "|", "is a", "stands for", "means", "是指", "指", "即", "—", "–", "- "];
        if bracketed || says.iter().any(|sign| after.starts_with(sign)) {
            return true;
        }
        from = found + name.len();
    }
    false
}
