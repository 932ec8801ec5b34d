//! Finds libassay in `ASSAY_LIB_DIR`, or by `libassay.pc` with pkg-config.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=ASSAY_LIB_DIR");
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    let directory = env::var("ASSAY_LIB_DIR").unwrap_or_else(|_| directory_by_pkg_config());
    println!("cargo:rustc-link-search=native={directory}");
    println!("cargo:rustc-link-lib=dylib=assay");
}

fn directory_by_pkg_config() -> String {
    let command = Command::new("pkg-config").args(["--variable=libdir", "libassay"]).output();
    match command {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).trim().to_owned(),
        _ => panic!("pkg-config finds no libassay: install it, or set PKG_CONFIG_PATH or ASSAY_LIB_DIR"),
    }
}
